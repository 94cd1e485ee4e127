/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import java.lang.reflect.Array;
import java.util.List;

/**
 * The cells of a program's fields on the heap: one {@code float[]} or {@code double[]} per field,
 * in the order of {@link StencilProgram#fields}. The cells of the fastest axis are adjacent.
 *
 * <pre>{@code
 * ProgramArrays cells =
 *     new ProgramArrays(ElementType.F64, Extent.of(2, 3), List.of(new double[] {1, 2, 3, 4, 5, 6}));
 * }</pre>
 *
 * @param type the type of the cells, F32 or F64
 * @param extent the cells along each axis, the same for all fields
 * @param arrays one array per field, not copied; a run replaces the cells of updated fields
 * @param placement where the cells lie in a larger grid, whose positions the program reads
 */
public record ProgramArrays(
    ElementType type, Extent extent, List<Object> arrays, Placement placement) {
  /** Checks the type, and that each array has as many cells as the extent. */
  public ProgramArrays {
    if (!type.isFloating()) {
      throw new InvalidStencilException(
          "programs compute with floating-point cells, but these are %s; use float or double"
              .formatted(type));
    }
    placement.requireAxesOf(extent);
    arrays = List.copyOf(arrays);
    for (Object array : arrays) {
      type.requireArray(array);
      if (Array.getLength(array) != extent.cells()) {
        throw new InvalidStencilException(
            "an array has %d cells, but the extent %s has %d; give each field one cell per position"
                .formatted(Array.getLength(array), extent.sizes(), extent.cells()));
      }
    }
  }

  /** Creates arrays that are a whole grid. */
  public ProgramArrays(ElementType type, Extent extent, List<Object> arrays) {
    this(type, extent, arrays, Placement.whole(extent));
  }

  /** Checks that the arrays are those of the fields of a program. */
  public void requireFieldsOf(StencilProgram program) {
    if (arrays.size() != program.fields().size()) {
      throw new InvalidStencilException(
          "%d arrays for the fields %s; give one array per field"
              .formatted(arrays.size(), program.fields()));
    }
    if (extent.dimensions() != program.dimensions()) {
      throw new InvalidStencilException(
          "arrays with %d axes for a program with the axes %s; use a program with as many axes"
              .formatted(extent.dimensions(), program.axes()));
    }
  }
}
