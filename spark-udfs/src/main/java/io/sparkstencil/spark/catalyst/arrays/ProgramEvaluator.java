/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataTypes;

/** Runs a program on one array at a time, on the CPU. */
final class ProgramEvaluator implements ArrayCall.Evaluator {
  private static final long serialVersionUID = 1L;

  private final ProgramOperation operation;
  private final ElementType type;

  ProgramEvaluator(ProgramOperation operation, ArrayType arrays) {
    this.operation = operation;
    boolean floats = ArrayTypes.innermost(arrays).elementType().equals(DataTypes.FloatType);
    type = floats ? ElementType.F32 : ElementType.F64;
  }

  @Override
  public synchronized ArrayData evaluate(ArrayData array) {
    List<Integer> sizes = new ArrayList<>();
    ArrayData first = array;
    for (int axis = 0; axis < operation.program().dimensions(); axis++) {
      int size = first.numElements();
      if (size == 0) {
        return array; // no cells
      }
      sizes.add(size);
      if (axis + 1 < operation.program().dimensions()) {
        first = row(first, 0);
      }
    }
    return new Field(new Extent(sizes)).evaluate(array);
  }

  private static ArrayData row(ArrayData rows, int index) {
    if (rows.isNullAt(index)) {
      throw new BadDataException(
          "row %d of an array is null; give all rows the same number of elements".formatted(index));
    }
    return rows.getArray(index);
  }

  /** One array. */
  private final class Field {
    private final Extent extent;
    private final Object cells;
    private float[] missing; // or null

    Field(Extent extent) {
      this.extent = extent;
      cells = type.newArray(extent.cells());
    }

    ArrayData evaluate(ArrayData array) {
      read(array, 0, 0);
      operation.run(type, extent, cells);
      if (missing != null) {
        operation.missing(extent, missing);
      }
      return write(0, 0);
    }

    /** Copies the elements to the cells from an index on. */
    private void read(ArrayData array, int axis, int at) {
      int length = array.numElements();
      if (length != extent.size(axis)) {
        throw new BadDataException(
            "a row of an array has %d elements, but the first has %d; give all rows the same number of elements"
                .formatted(length, extent.size(axis)));
      }
      if (axis < extent.dimensions() - 1) {
        int stride = stride(axis);
        for (int i = 0; i < length; i++) {
          read(row(array, i), axis + 1, at + i * stride);
        }
        return;
      }
      for (int i = 0; i < length; i++) {
        if (array.isNullAt(i)) {
          missing = missing == null ? new float[extent.cells()] : missing;
          missing[at + i] = 1;
        } else if (cells instanceof float[] floats) {
          floats[at + i] = array.getFloat(i);
        } else {
          ((double[]) cells)[at + i] = array.getDouble(i);
        }
      }
    }

    /** Returns the number of cells of a slice across an axis. */
    private int stride(int axis) {
      int stride = 1;
      for (int faster = axis + 1; faster < extent.dimensions(); faster++) {
        stride *= extent.size(faster);
      }
      return stride;
    }

    private ArrayData write(int axis, int at) {
      int length = extent.size(axis);
      if (axis < extent.dimensions() - 1) {
        Object[] rows = new Object[length];
        for (int i = 0; i < length; i++) {
          rows[i] = write(axis + 1, at + i * stride(axis));
        }
        return new GenericArrayData(rows);
      }
      if (missing == null) {
        return cells instanceof float[] floats
            ? UnsafeArrayData.fromPrimitiveArray(Arrays.copyOfRange(floats, at, at + length))
            : UnsafeArrayData.fromPrimitiveArray(
                Arrays.copyOfRange((double[]) cells, at, at + length));
      }
      Object[] elements = new Object[length];
      for (int i = 0; i < length; i++) {
        if (missing[at + i] == 0) {
          elements[i] =
              cells instanceof float[] floats
                  ? (Object) floats[at + i]
                  : (Object) ((double[]) cells)[at + i];
        }
      }
      return new GenericArrayData(elements);
    }
  }
}
