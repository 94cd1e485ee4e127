/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import java.io.Serializable;
import java.util.List;

/**
 * What functions go on from in the middle of a series.
 *
 * @param rows the number of rows of the whole series
 * @param buffers for each function the values of Spark's buffer before the first row, of functions
 *     of the whole series those after the last
 * @param failure what Spark would have thrown before the first row; null if nothing
 */
public record LoopStart(long rows, List<Object[]> buffers, ArithmeticException failure)
    implements Serializable {}
