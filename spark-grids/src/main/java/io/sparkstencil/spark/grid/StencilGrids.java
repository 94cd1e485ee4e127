/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.program.StencilProgram;
import org.apache.spark.sql.SparkSession;

/**
 * Grids of cells on which a stencil program takes many steps. The grid is cut into blocks, which
 * stay on executors between steps; only their faces move.
 *
 * <pre>{@code
 * StencilProgram heat = ProgramText.parse("u' = u + a*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)");
 * StencilGrid grid =
 *     StencilGrids.builder(spark, heat)
 *         .extent(4096, 4096)
 *         .field("u", position -> position[0] == 2048 && position[1] == 2048 ? 1e6 : 0)
 *         .parameter("a", 0.2)
 *         .create();
 * StencilGrid later = grid.step(1000);
 * double hottest = later.max("u");
 * later.close();
 * }</pre>
 */
public final class StencilGrids {
  private StencilGrids() {}

  /**
   * Returns a builder of grids.
   *
   * @param program what a step computes; the grid has the program's fields
   */
  public static GridBuilder builder(SparkSession spark, StencilProgram program) {
    return new GridBuilder(spark, program);
  }
}
