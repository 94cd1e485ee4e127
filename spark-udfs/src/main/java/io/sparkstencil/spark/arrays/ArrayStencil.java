/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.cells.CellSource;
import io.sparkstencil.cells.HeapCells;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.pipeline.ItemCells;
import io.sparkstencil.pipeline.ItemSink;
import io.sparkstencil.pipeline.ItemSource;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.spark.catalyst.interop.MemoryCells;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.plugin.TaskEngine;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/**
 * A stencil over arrays of an RDD, each of which is a series of its own.
 *
 * <pre>{@code
 * ArrayStencil<float[], float[]> mean =
 *     ArrayStencil.ofFloats(Stencil.mean(Frame.radius(8)).withBoundary(Boundary.VALID));
 * JavaRDD<float[]> smooth = mean.apply(traces);
 * JavaPairRDD<String, float[]> named = mean.applyToValues(tracesByStation);
 * JavaRDD<float[]> lazily = traces.mapPartitions(arrays -> mean.apply(arrays)); // in your own code
 * }</pre>
 *
 * <p>Results have the types that the SQL functions on arrays give them: arrays of float and double
 * keep their type, except that counts are {@code int[]}; of integer arrays, minima and maxima keep
 * the type, sums are {@code long[]}, means and weighted sums {@code double[]}. Under the boundary
 * valid they are shorter. A frame without any cell (only under shrink, where it leaves out the
 * current cell) gives NaN, or 0 in integers. A null array gives null.
 *
 * @param <A> the arrays: {@code float[]}, {@code double[]}, {@code int[]} or {@code long[]}
 * @param <R> the arrays of results, one of the same
 */
public final class ArrayStencil<A, R> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ArrayOperation operation;
  private final String engine;

  private ArrayStencil(ArrayOperation operation, String engine) {
    this.operation = operation;
    this.engine = requireNonNull(engine, "engine is null");
  }

  /**
   * Returns {@code stencil} over arrays of one class with results of another, on the best engine
   * that works.
   *
   * @throws io.sparkstencil.error.InvalidStencilException if the results have another class
   */
  public static <A, R> ArrayStencil<A, R> of(Class<A> arrays, Class<R> results, Stencil stencil) {
    requireNonNull(stencil, "stencil is null");
    ArrayOperation operation = ArrayOperation.of(ElementType.ofArrays(arrays), stencil);
    operation.spec().requireResults(results);
    return new ArrayStencil<>(operation, "auto");
  }

  /**
   * Returns {@code stencil} with results of the arrays' own class, on the best engine that works.
   */
  public static <A> ArrayStencil<A, A> of(Class<A> arrays, Stencil stencil) {
    return of(arrays, arrays, stencil);
  }

  /** Returns {@code stencil} over floats, with results in floats, on the best engine that works. */
  public static ArrayStencil<float[], float[]> ofFloats(Stencil stencil) {
    return of(float[].class, float[].class, stencil);
  }

  /** Returns {@code stencil} over doubles, with results in doubles, on the best engine. */
  public static ArrayStencil<double[], double[]> ofDoubles(Stencil stencil) {
    return of(double[].class, double[].class, stencil);
  }

  /** Returns {@code stencil}, a minimum, maximum or count, over ints, with results in ints. */
  public static ArrayStencil<int[], int[]> ofInts(Stencil stencil) {
    return of(int[].class, int[].class, stencil);
  }

  /** Returns {@code stencil}, a sum, minimum or maximum, over longs, with results in longs. */
  public static ArrayStencil<long[], long[]> ofLongs(Stencil stencil) {
    return of(long[].class, long[].class, stencil);
  }

  /** Returns the same, applied {@code newSteps} times, each time to the results before. */
  public ArrayStencil<A, R> withSteps(int newSteps) {
    return new ArrayStencil<>(
        new ArrayOperation(operation.input(), operation.spec(), newSteps), engine);
  }

  /**
   * Returns the same on the engine of that name: {@code auto}, {@code cpu}, {@code gpu}, {@code
   * reference}.
   */
  public ArrayStencil<A, R> withEngine(String newEngine) {
    return new ArrayStencil<>(operation, newEngine);
  }

  /** Returns the results for each array. */
  public JavaRDD<R> apply(JavaRDD<A> arrays) {
    return arrays.mapPartitions(this::apply, true);
  }

  /** Returns the results for each array with its key; partitioning is kept. */
  public <K> JavaPairRDD<K, R> applyToValues(JavaPairRDD<K, A> arrays) {
    return arrays.mapPartitionsToPair(this::applyToPairs, true);
  }

  /**
   * Returns the results for each array, lazily and in order; for use in a task, with whose end
   * memory and streams are returned. Outside a task, that is when the results have been read to
   * their end. An array may be changed or reused once the next one has been asked for.
   */
  public Iterator<R> apply(Iterator<A> arrays) {
    return run(
        arrays, (array, cells) -> segment(array, cells), (segment, results) -> results(segment));
  }

  private <K> Iterator<Tuple2<K, R>> applyToPairs(Iterator<Tuple2<K, A>> pairs) {
    return run(
        pairs,
        (pair, cells) -> new Tuple2<K, Segment<?>>(pair._1(), segment(pair._2(), cells)),
        (kept, results) -> new Tuple2<>(kept._1(), results(kept._2())));
  }

  /**
   * Runs a pipeline, which is closed at the end of its results and of the task, if there is one.
   */
  private <I, K, O> Iterator<O> run(
      Iterator<I> items, ItemSource<I, K> source, ItemSink<K, O> sink) {
    List<TaskEngine> engines = engines();
    PartitionPipeline<I, K, O> pipeline =
        new PartitionPipeline<>(plan().stagings(), engines, source, sink);
    TaskContext task = TaskContext.get();
    if (task != null) {
      ScalaInterop.onCompletion(task, pipeline::close);
    }
    Iterator<O> results = pipeline.run(items);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        boolean more = results.hasNext();
        if (!more) {
          pipeline.close();
          engines.forEach(TaskEngine::close);
        }
        return more;
      }

      @Override
      public O next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return results.next();
      }
    };
  }

  private ArrayPlan plan() {
    return ArrayPlan.of(
        List.of(operation.input()), List.of(new ArrayPlan.InputOperation(0, operation)));
  }

  private List<TaskEngine> engines() {
    SparkEnv environment = SparkEnv.get();
    StencilConf conf =
        environment == null
            ? StencilConf.DEFAULTS
            : SessionOptions.ofApplication(environment.conf());
    return plan().engines(SessionOptions.withEngine(conf, engine));
  }

  /** Adds the segment that a whole array is, and returns it; null for a null array. */
  private Segment<?> segment(A array, ItemCells cells) {
    if (array == null) {
      return null;
    }
    operation.input().requireArray(array);
    Segment<?> segment = new Segment<>(null, source(array), null, null, 1);
    cells.add(0, segment);
    return segment;
  }

  private CellSource source(A array) {
    return operation.input() == operation.spec().type()
        ? new HeapCells(array, null, 0, Array.getLength(array))
        : MemoryCells.ofArray(array);
  }

  @SuppressWarnings("unchecked") // the factories pair R with the type
  private R results(Segment<?> segment) {
    if (segment == null) {
      return null;
    }
    ElementType type = operation.spec().type();
    Object array = segment.result(0, type);
    byte[] validity = segment.resultValidity(0);
    for (int i = 0; validity != null && i < validity.length; i++) {
      if (validity[i] == 0) {
        clear(type, array, i);
      }
    }
    return (R) array;
  }

  private static void clear(ElementType type, Object array, int index) {
    switch (type) {
      case F32 -> ((float[]) array)[index] = Float.NaN;
      case F64 -> ((double[]) array)[index] = Double.NaN;
      case I32 -> ((int[]) array)[index] = 0;
      case I64 -> ((long[]) array)[index] = 0;
    }
  }
}
