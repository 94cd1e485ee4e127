/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.spark.grid.cells.FirstCells;
import org.apache.spark.api.java.JavaRDD;

/**
 * Where runs begin.
 *
 * @param step the steps of the grid up to there
 * @param blocks a partition per block, in order
 */
public record GridSource(long step, JavaRDD<FirstCells> blocks) {}
