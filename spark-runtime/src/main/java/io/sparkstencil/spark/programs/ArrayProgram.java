/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.programs;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.conf.StencilConf;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/**
 * A stencil program over arrays of an RDD, each of which is a field of its own.
 *
 * <pre>{@code
 * StencilProgram heat = ProgramText.parse("u' = u + a*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)");
 * ArrayProgram<double[][]> diffuse =
 *     ArrayProgram.of(double[][].class, heat, Map.of("a", 0.2)).withSteps(100);
 * JavaRDD<double[][]> smooth = diffuse.apply(images);
 * }</pre>
 *
 * <p>The program reads the old cells of one field, which is the array, and the result is a new
 * array with that field's new cells. A null array gives null.
 *
 * @param <A> arrays of float or double with as many dimensions as the program: {@code float[]},
 *     {@code double[][]}, ...
 */
public final class ArrayProgram<A> implements Serializable {
  private static final long serialVersionUID = 1L;

  private final ProgramOperation operation;
  private final Map<String, Double> parameters;
  private final ElementType type;
  private final Class<A> arrays;
  private final String engine;

  private ArrayProgram(
      Class<A> arrays,
      ElementType type,
      ProgramOperation operation,
      Map<String, Double> values,
      String engine) {
    this.arrays = arrays;
    this.engine = engine;
    this.type = type;
    this.operation = operation;
    this.parameters = values;
  }

  /** Returns a program without parameters over arrays of a class. */
  public static <A> ArrayProgram<A> of(Class<A> arrays, StencilProgram program) {
    return of(arrays, program, Map.of());
  }

  /**
   * Returns a program over arrays of a class, applied once.
   *
   * @param parameters a value for each parameter of the program
   * @throws InvalidStencilException if the arrays have other dimensions than the program, or other
   *     elements than float and double
   */
  public static <A> ArrayProgram<A> of(
      Class<A> arrays, StencilProgram program, Map<String, Double> parameters) {
    requireNonNull(program, "program is null");
    int dimensions = 0;
    Class<?> element = requireNonNull(arrays, "arrays is null");
    for (; element.isArray(); element = element.getComponentType()) {
      dimensions++;
    }
    if (dimensions != program.dimensions() || (element != float.class && element != double.class)) {
      throw new InvalidStencilException(
          "arrays of class %s for a program with the axes %s; use float or double arrays with %d dimensions"
              .formatted(arrays.getSimpleName(), program.axes(), program.dimensions()));
    }
    ElementType type = element == float.class ? ElementType.F32 : ElementType.F64;
    Map<String, Double> values = new HashMap<>(parameters);
    return new ArrayProgram<>(
        arrays, type, new ProgramOperation(program, 1, values), values, Engines.AUTO);
  }

  /** Returns the same, applied {@code steps} times. */
  public ArrayProgram<A> withSteps(int steps) {
    ProgramOperation repeated = new ProgramOperation(operation.program(), steps, parameters);
    return new ArrayProgram<>(arrays, type, repeated, parameters, engine);
  }

  /**
   * Returns the same on the engine of that name: {@code auto}, {@code cpu}, {@code gpu}, {@code
   * reference}.
   */
  public ArrayProgram<A> withEngine(String newEngine) {
    return new ArrayProgram<>(arrays, type, operation, parameters, Engines.parseName(newEngine));
  }

  /** Returns the results for each array. */
  public JavaRDD<A> apply(JavaRDD<A> rdd) {
    return rdd.mapPartitions(this::apply, true);
  }

  /** Returns the results for each array with its key; partitioning is kept. */
  public <K> JavaPairRDD<K, A> applyToValues(JavaPairRDD<K, A> rdd) {
    return rdd.mapPartitionsToPair(
        pairs ->
            new Results<Tuple2<K, A>, Tuple2<K, A>>(
                pairs, Tuple2::_2, (pair, result) -> new Tuple2<>(pair._1(), result)),
        true);
  }

  /**
   * Returns the results for each array, in order; arrays of one extent are computed together. The
   * arrays are not changed.
   */
  public Iterator<A> apply(Iterator<A> rows) {
    return new Results<A, A>(rows, array -> array, (array, result) -> result);
  }

  /**
   * Returns the result for one array, which is not changed; null for null.
   *
   * @throws BadDataException if rows differ in length or are null
   */
  public A apply(A array) {
    return apply(Collections.singletonList(array).iterator()).next();
  }

  /** Adds an array to a batch; null if it has no cells. */
  private ProgramBatch.Entry add(A array, ProgramBatch batch) {
    if (array == null || Array.getLength(array) == 0) {
      return null;
    }
    if (!arrays.isInstance(array)) {
      throw new InvalidStencilException(
          "the RDD holds %s, not %s; pass the class of its arrays"
              .formatted(array.getClass().getSimpleName(), arrays.getSimpleName()));
    }
    List<Integer> sizes = new ArrayList<>();
    Object first = array;
    for (int axis = 0; axis < operation.program().dimensions(); axis++) {
      sizes.add(Array.getLength(first));
      first = axis + 1 < operation.program().dimensions() ? Array.get(first, 0) : null;
    }
    if (sizes.contains(0)) {
      return null;
    }
    ProgramBatch.Entry entry = batch.add(new Extent(sizes));
    copy(array, 0, entry.extent(), entry.cells(0), entry.at(), true);
    return entry;
  }

  private A result(ProgramBatch.Entry entry) {
    A made =
        arrays.cast(
            Array.newInstance(
                type == ElementType.F32 ? float.class : double.class,
                entry.extent().sizes().stream().mapToInt(Integer::intValue).toArray()));
    copy(made, 0, entry.extent(), entry.cells(0), entry.at(), false);
    return made;
  }

  private StencilConf conf() {
    SparkEnv environment = SparkEnv.get();
    StencilConf conf =
        environment == null
            ? StencilConf.DEFAULTS
            : SessionOptions.ofApplication(environment.conf());
    return SessionOptions.withEngine(conf, engine);
  }

  /** The results for arrays, batch by batch. */
  private final class Results<I, O> implements Iterator<O> {
    private final Iterator<I> items;
    private final Function<I, A> arrayOf;
    private final BiFunction<I, A, O> resultOf;
    private final ProgramBatch batch = new ProgramBatch(operation.runner(conf()), type);
    private final ArrayDeque<Waiting<I>> waiting = new ArrayDeque<>();

    /**
     * Creates the results.
     *
     * @param items what holds arrays
     * @param arrayOf returns the array of an item
     * @param resultOf returns what comes out
     */
    Results(Iterator<I> items, Function<I, A> arrayOf, BiFunction<I, A, O> resultOf) {
      this.items = items;
      this.arrayOf = arrayOf;
      this.resultOf = resultOf;
    }

    @Override
    public boolean hasNext() {
      return !waiting.isEmpty() || items.hasNext();
    }

    @Override
    public O next() {
      if (waiting.isEmpty()) {
        fill();
      }
      Waiting<I> next = waiting.remove();
      A array = arrayOf.apply(next.item());
      return resultOf.apply(next.item(), next.entry() == null ? array : result(next.entry()));
    }

    private void fill() {
      if (!items.hasNext()) {
        throw new NoSuchElementException();
      }
      batch.clear();
      while (items.hasNext() && !batch.isFull()) {
        I item = items.next();
        waiting.add(new Waiting<>(item, add(arrayOf.apply(item), batch)));
      }
      batch.run();
    }
  }

  /** An item and its array in the batch, or null if that has no cells. */
  private record Waiting<I>(I item, ProgramBatch.Entry entry) {}

  /** Copies the elements of nested arrays to flat ones, or back; returns the next flat index. */
  private static int copy(
      Object nested, int axis, Extent extent, Object flat, int at, boolean toFlat) {
    int length = nested == null ? -1 : Array.getLength(nested);
    if (length != extent.size(axis)) {
      throw new BadDataException(
          "a row along axis %d has %s elements, but the first has %d; give all rows the same length"
              .formatted(axis, length < 0 ? "no" : String.valueOf(length), extent.size(axis)));
    }
    if (axis == extent.dimensions() - 1) {
      System.arraycopy(
          toFlat ? nested : flat, toFlat ? 0 : at, toFlat ? flat : nested, toFlat ? at : 0, length);
      return at + length;
    }
    int next = at;
    for (int i = 0; i < length; i++) {
      next = copy(Array.get(nested, i), axis + 1, extent, flat, next, toFlat);
    }
    return next;
  }
}
