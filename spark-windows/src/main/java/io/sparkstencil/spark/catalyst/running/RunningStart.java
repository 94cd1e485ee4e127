/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * What a part starts from.
 *
 * @param buffers the buffers of all functions before its first row, or null for {@code failure}
 * @param failure what Spark would have thrown before that row
 */
public record RunningStart(UnsafeRow buffers, ArithmeticException failure)
    implements Serializable {}
