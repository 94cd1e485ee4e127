/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.programs;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;

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

  private ArrayProgram(
      Class<A> arrays, ElementType type, ProgramOperation operation, Map<String, Double> values) {
    this.arrays = arrays;
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
    return new ArrayProgram<>(arrays, type, new ProgramOperation(program, 1, values), values);
  }

  /** Returns the same, applied {@code steps} times. */
  public ArrayProgram<A> withSteps(int steps) {
    ProgramOperation repeated = new ProgramOperation(operation.program(), steps, parameters);
    return new ArrayProgram<>(arrays, type, repeated, parameters);
  }

  /** Returns the results for each array. */
  public JavaRDD<A> apply(JavaRDD<A> rdd) {
    return rdd.map(this::apply);
  }

  /** Returns the results for each array with its key; partitioning is kept. */
  public <K> JavaPairRDD<K, A> applyToValues(JavaPairRDD<K, A> rdd) {
    return rdd.mapValues(this::apply);
  }

  /**
   * Returns the result for one array, which is not changed; null for null.
   *
   * @throws BadDataException if rows differ in length or are null
   */
  public A apply(A array) {
    if (array == null || Array.getLength(array) == 0) {
      return array;
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
      return array;
    }
    Extent extent = new Extent(sizes);
    Object cells = type.newArray(extent.cells());
    copy(array, 0, extent, cells, 0, true);
    Object results = operation.run(type, extent, cells);
    A made =
        arrays.cast(
            Array.newInstance(
                type == ElementType.F32 ? float.class : double.class,
                sizes.stream().mapToInt(Integer::intValue).toArray()));
    copy(made, 0, extent, results, 0, false);
    return made;
  }

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
