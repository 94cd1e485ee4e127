/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.arrays.ArrayStencil;
import io.sparkstencil.spark.catalyst.BlockStencils;
import org.apache.spark.api.java.JavaRDD;

/**
 * A stencil over an RDD of primitive arrays. Cells, sums and results have the type of the arrays,
 * and an integer mean divides towards zero.
 *
 * @param <A> the arrays
 */
public final class BlockQuery<A> {
  private final JavaRDD<A> blocks;
  private final Class<A> arrays;
  private final ElementType type;
  private final String engine;

  BlockQuery(JavaRDD<A> blocks, Class<A> arrays, String engine) {
    this.blocks = requireNonNull(blocks, "blocks is null");
    this.arrays = requireNonNull(arrays, "arrays is null");
    this.engine = engine;
    this.type = ElementType.ofArrays(arrays);
  }

  /**
   * Selects the engine.
   *
   * @param name {@code auto}, {@code cpu}, {@code gpu} or {@code reference}
   */
  public BlockQuery<A> engine(String name) {
    return new BlockQuery<>(blocks, arrays, StencilQuery.engineName(name));
  }

  /**
   * Filters consecutive blocks of one long series. Halos go over the edges of blocks and of
   * partitions, whatever their sizes. The RDD is computed twice, first for the edges of its
   * partitions: persist it if that is costly.
   *
   * @return the filtered blocks, as many and as long as before; under the boundary valid without
   *     the outputs whose frame is not whole. Where a frame has no cells at all the result is NaN,
   *     or 0 in integers
   */
  public JavaRDD<A> blocks(Stencil stencil) {
    return BlockStencils.blocks(blocks, arrays, type, stencil, engine);
  }

  /**
   * Filters every array as a series of its own, as {@link ArrayStencil} does.
   *
   * @return arrays as {@link #blocks} returns them, and null for null
   */
  public JavaRDD<A> independent(Stencil stencil) {
    return ArrayStencil.of(arrays, stencil).withEngine(engine).apply(blocks);
  }
}
