/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * What is known of a part of the rows.
 *
 * @param rows their number
 * @param buffers what was aggregated of them
 */
public record RunningState(long rows, UnsafeRow buffers) implements Serializable {}
