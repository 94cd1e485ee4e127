/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.arrays.ArrayStencil;
import io.sparkstencil.spark.catalyst.source.BlockStencils;
import org.apache.spark.api.java.JavaRDD;

/**
 * A stencil over an RDD of primitive arrays.
 *
 * <p>Results have the types that the SQL functions on arrays give them. Arrays of float and double
 * keep their type, except that counts are {@code int[]}. Of integer arrays, minima and maxima keep
 * the type, sums are {@code long[]}, means and weighted sums {@code double[]}: methods that take
 * the class of the results return them.
 *
 * <pre>{@code
 * JavaRDD<double[]> smooth =
 *     Stencils.over(counts, int[].class).independent(Stencil.mean(Frame.radius(2)), double[].class);
 * }</pre>
 *
 * @param <A> the arrays: {@code double[]}, {@code float[]}, {@code long[]} or {@code int[]}
 */
public final class BlockQuery<A> {
  private final JavaRDD<A> blocks;
  private final Class<A> arrays;
  private final String engine;

  BlockQuery(JavaRDD<A> blocks, Class<A> arrays, String engine) {
    this.blocks = requireNonNull(blocks, "blocks is null");
    this.arrays = requireNonNull(arrays, "arrays is null");
    this.engine = engine;
    ElementType.ofArrays(arrays); // refuses other classes here
  }

  /**
   * Selects the engine.
   *
   * @param name {@code auto}, {@code cpu}, {@code gpu} or {@code reference}
   */
  public BlockQuery<A> engine(String name) {
    return new BlockQuery<>(blocks, arrays, Engines.parseName(name));
  }

  /**
   * Filters consecutive blocks of one long series. Frames reach across blocks and partitions of any
   * size. The RDD is computed twice, first for the ends of its partitions: persist it if that is
   * costly.
   *
   * @return as many blocks, of the same lengths; under the boundary valid without the results whose
   *     frame is not whole. A frame without any cell gives NaN, or 0 in integers
   * @throws io.sparkstencil.error.InvalidStencilException if the results have another type than the
   *     blocks
   */
  public JavaRDD<A> blocks(Stencil stencil) {
    return blocks(stencil, arrays);
  }

  /**
   * Filters consecutive blocks of one long series, as {@link #blocks(Stencil)} does, into results
   * of another type.
   *
   * @param results the class of the results, {@code double[].class} for means of integers, say
   * @throws io.sparkstencil.error.InvalidStencilException if the results have another class
   */
  public <R> JavaRDD<R> blocks(Stencil stencil, Class<R> results) {
    return BlockStencils.blocks(blocks, arrays, results, stencil, engine);
  }

  /**
   * Filters every array as a series of its own, as {@link ArrayStencil} does.
   *
   * @return arrays as {@link #blocks(Stencil)} returns them, and null for null
   * @throws io.sparkstencil.error.InvalidStencilException if the results have another type than the
   *     arrays
   */
  public JavaRDD<A> independent(Stencil stencil) {
    return independent(stencil, arrays);
  }

  /**
   * Filters every array as a series of its own, into results of another type.
   *
   * @param results the class of the results, {@code double[].class} for means of integers, say
   * @throws io.sparkstencil.error.InvalidStencilException if the results have another class
   */
  public <R> JavaRDD<R> independent(Stencil stencil, Class<R> results) {
    return ArrayStencil.of(arrays, results, stencil).withEngine(engine).apply(blocks);
  }
}
