/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.Extent;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cells of some fields in a box of a grid, on their way into it. Not a record, as Kryo cannot
 * read and write those.
 *
 * <pre>{@code
 * Box box = Box.between(List.of(0L, 0L), List.of(2L, 3L));
 * FieldBox first = new FieldBox(box, Map.of("u", new double[] {1, 2, 3, 4, 5, 6}));
 * }</pre>
 */
public final class FieldBox implements Serializable {
  private static final long serialVersionUID = 1L;

  private final long[] origin;
  private final int[] sizes;
  private final String[] fields;
  private final Object[] arrays;

  /**
   * Takes cells, which are not copied.
   *
   * @param box where they are in the grid
   * @param cells for each field, by its name, an array of float or double with as many cells as the
   *     box, the last axis fastest
   * @throws InvalidStencilException if there is no field, or an array is not like that
   */
  public FieldBox(Box box, Map<String, ?> cells) {
    if (cells.isEmpty()) {
      throw new InvalidStencilException("a box at %s has no fields".formatted(box.origin()));
    }
    Map<String, Object> sorted = new TreeMap<>(cells);
    sorted.forEach((field, array) -> requireCells(box, field, array));
    origin = box.origin().stream().mapToLong(Long::longValue).toArray();
    sizes = box.extent().sizes().stream().mapToInt(Integer::intValue).toArray();
    fields = sorted.keySet().toArray(String[]::new);
    arrays = sorted.values().toArray();
  }

  private static void requireCells(Box box, String field, Object array) {
    if (!(array instanceof float[] || array instanceof double[])) {
      throw new InvalidStencilException(
          "the cells of field %s in a box are %s; use an array of float or double"
              .formatted(field, array == null ? "null" : array.getClass().getSimpleName()));
    }
    if (Array.getLength(array) != box.cells()) {
      throw new InvalidStencilException(
          "field %s has %d cells in a box with the sizes %s; use %d"
              .formatted(field, Array.getLength(array), box.extent().sizes(), box.cells()));
    }
  }

  /** Returns where the cells are in the grid. */
  public Box box() {
    return new Box(
        Arrays.stream(origin).boxed().toList(), new Extent(Arrays.stream(sizes).boxed().toList()));
  }

  /** Returns the names of the fields, in alphabetical order. */
  public List<String> fields() {
    return List.of(fields);
  }

  /**
   * Returns the cells of a field, an array of float or double.
   *
   * @throws InvalidStencilException if the box has no such field
   */
  public Object cells(String field) {
    int index = Arrays.binarySearch(fields, field);
    if (index < 0) {
      throw new InvalidStencilException(
          "a box at %s has the fields %s and not %s"
              .formatted(Arrays.toString(origin), fields(), field));
    }
    return arrays[index];
  }

  /** Returns the cells of all fields in a part of this box, as copies. */
  public FieldBox part(Box inside) {
    Map<String, Object> cells = new TreeMap<>();
    for (int i = 0; i < fields.length; i++) {
      Object copy = Array.newInstance(arrays[i].getClass().componentType(), inside.cells());
      CellBoxes.copy(arrays[i], box(), copy, inside, inside);
      cells.put(fields[i], copy);
    }
    return new FieldBox(inside, cells);
  }
}
