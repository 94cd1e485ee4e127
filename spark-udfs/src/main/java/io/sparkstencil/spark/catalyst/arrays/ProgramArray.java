/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.programs.ProgramBatch;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * The array of a row, or the arrays of a struct, of which a program computes others.
 *
 * @param shape what programs read and make
 * @param entry their place in a batch; null if they have no cells
 * @param asIs copies of arrays without cells, one per result; null for null and for others
 */
record ProgramArray(ProgramShape shape, ProgramBatch.Entry entry, List<UnsafeArrayData> asIs) {
  /**
   * Adds an array to a batch; of a struct, one for each field.
   *
   * @param row holds it
   * @param ordinal where it is in the row
   */
  static ProgramArray read(ProgramShape shape, UnsafeRow row, int ordinal, ProgramBatch batch) {
    List<UnsafeArrayData> arrays = shape.arrays(row, ordinal);
    if (arrays.isEmpty()) {
      return new ProgramArray(shape, null, null);
    }
    List<Integer> sizes = sizes(arrays.get(0), shape.dimensions());
    if (sizes.isEmpty()) {
      List<UnsafeArrayData> results =
          shape.results().stream().map(array -> arrays.get(array).copy()).toList();
      return new ProgramArray(shape, null, results);
    }
    ProgramArray made = new ProgramArray(shape, batch.add(new Extent(sizes)), null);
    for (int field = 0; field < arrays.size(); field++) {
      made.read(field, arrays.get(field), 0, 0);
    }
    return made;
  }

  /** Returns the elements along each axis, as the first row along it has them; none without. */
  private static List<Integer> sizes(UnsafeArrayData data, int dimensions) {
    List<Integer> sizes = new ArrayList<>(dimensions);
    UnsafeArrayData first = data;
    for (int axis = 0; axis < dimensions; axis++) {
      if (first.numElements() == 0) {
        return List.of();
      }
      sizes.add(first.numElements());
      first = axis + 1 < dimensions ? row(first, 0) : null;
    }
    return sizes;
  }

  private static UnsafeArrayData row(UnsafeArrayData rows, int index) {
    if (rows.isNullAt(index)) {
      throw new BadDataException(
          "row %d of an array is null; give all rows the same number of elements".formatted(index));
    }
    return rows.getArray(index);
  }

  /** Copies elements to the cells of a field from an index on. */
  private void read(int field, UnsafeArrayData data, int axis, int at) {
    Extent extent = entry.extent();
    int length = data.numElements();
    if (length != extent.size(axis)) {
      throw new BadDataException(
          field == 0
              ? "a row of an array has %d elements, but the first has %d; give all rows the same number of elements"
                  .formatted(length, extent.size(axis))
              : "the array %s has %d elements along an axis, but %s has %d; give all arrays of a struct the same extent"
                  .formatted(
                      shape.names().get(field), length, shape.names().get(0), extent.size(axis)));
    }
    if (axis < extent.dimensions() - 1) {
      int stride = stride(extent, axis);
      for (int i = 0; i < length; i++) {
        read(field, row(data, i), axis + 1, at + i * stride);
      }
      return;
    }
    Platform.copyMemory(
        data.getBaseObject(),
        data.getBaseOffset() + UnsafeArrayData.calculateHeaderPortionInBytes(length),
        entry.cells(field),
        offset(at),
        (long) length * shape.type().bytes());
    for (int i = 0; shape.nulls() && i < length; i++) {
      if (data.isNullAt(i)) {
        entry.setMissing(field, at + i);
      }
    }
  }

  /** Returns where a cell is in the memory of the batch's cells. */
  private long offset(int cell) {
    long first =
        shape.type() == ElementType.F32
            ? Platform.FLOAT_ARRAY_OFFSET
            : Platform.DOUBLE_ARRAY_OFFSET;
    return first + (long) (entry.at() + cell) * shape.type().bytes();
  }

  /** Returns the number of cells of a slice across an axis. */
  private static int stride(Extent extent, int axis) {
    int stride = 1;
    for (int faster = axis + 1; faster < extent.dimensions(); faster++) {
      stride *= extent.size(faster);
    }
    return stride;
  }

  /** Returns the number of cells of all results. */
  long cells() {
    return entry == null ? 0 : (long) entry.extent().cells() * shape.results().size();
  }

  /** Writes the result into a column. */
  void write(ProgramRowWriter row, int ordinal) {
    if (entry == null && asIs == null) {
      return; // null
    }
    int start = row.cursor();
    if (!shape.isStruct()) {
      writeResult(row, 0);
    } else {
      int fields = shape.results().size();
      int struct = row.beginStruct(fields);
      for (int i = 0; i < fields; i++) {
        int array = row.cursor();
        writeResult(row, i);
        row.setField(struct, fields, i, array);
      }
    }
    row.setColumn(ordinal, start);
  }

  private void writeResult(ProgramRowWriter row, int result) {
    if (entry == null) {
      row.add(asIs.get(result));
    } else {
      write(row, shape.results().get(result), 0, 0);
    }
  }

  private void write(ProgramRowWriter row, int field, int axis, int at) {
    Extent extent = entry.extent();
    int length = extent.size(axis);
    if (axis < extent.dimensions() - 1) {
      int stride = stride(extent, axis);
      int array = row.beginRows(length);
      for (int i = 0; i < length; i++) {
        int start = row.cursor();
        write(row, field, axis + 1, at + i * stride);
        row.setRow(array, length, i, start);
      }
      return;
    }
    int elementBytes = shape.type().bytes();
    int array = row.addCells(entry.cells(field), offset(at), length, elementBytes);
    float[] missing = entry.missing(field);
    for (int i = 0; missing != null && i < length; i++) {
      if (missing[entry.at() + at + i] > 0) {
        row.setNull(array, length, i, elementBytes);
      }
    }
  }
}
