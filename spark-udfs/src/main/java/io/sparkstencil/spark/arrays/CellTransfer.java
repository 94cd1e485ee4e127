/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.model.ElementType;
import org.apache.spark.unsafe.Platform;

/**
 * Copies cells between Spark's memory and an engine's: one copy where the engine works on the heap,
 * a small piece at a time through the first-level cache elsewhere, widened where the types differ.
 * Used by one thread.
 */
final class CellTransfer {
  private static final int CHUNK_CELLS = 2048;

  private final ElementType type;
  private final Object chunk;

  /** Creates a transfer to and from buffers of {@code type}. */
  CellTransfer(ElementType type) {
    this.type = type;
    this.chunk = type.newArray(CHUNK_CELLS);
  }

  /** Returns the offset of cell 0 of a Java array of {@code type}, as {@link Platform} counts. */
  static long arrayOffset(ElementType type) {
    return switch (type) {
      case F32 -> Platform.FLOAT_ARRAY_OFFSET;
      case F64 -> Platform.DOUBLE_ARRAY_OFFSET;
      case I32 -> Platform.INT_ARRAY_OFFSET;
      case I64 -> Platform.LONG_ARRAY_OFFSET;
    };
  }

  /** Copies all of {@code cells}, which are of type {@code source}, to cell {@code at} on. */
  void stage(ArrayCells cells, ElementType source, CellBuffer target, int at) {
    int length = cells.length();
    long start = offsetOf(target);
    if (source == type && start != 0) {
      Platform.copyMemory(
          cells.base(),
          cells.offset(),
          baseOf(target),
          start + (long) at * type.bytes(),
          (long) length * type.bytes());
      return;
    }
    for (int from = 0; from < length; from += CHUNK_CELLS) {
      int count = Math.min(CHUNK_CELLS, length - from);
      load(cells.base(), cells.offset() + (long) from * source.bytes(), source, count);
      target.write(at + from, chunk, 0, count);
    }
  }

  /**
   * Copies the elements at {@code indices[0, count)} of {@code cells} to cell {@code at} on; {@code
   * count} is at most {@link #CHUNK_CELLS}.
   */
  void gather(
      ArrayCells cells, ElementType source, int[] indices, int count, CellBuffer target, int at) {
    for (int i = 0; i < count; i++) {
      long offset = cells.offset() + (long) indices[i] * source.bytes();
      switch (type) {
        case F32 -> ((float[]) chunk)[i] = Platform.getFloat(cells.base(), offset);
        case F64 -> ((double[]) chunk)[i] = asDouble(cells.base(), offset, source);
        case I32 -> ((int[]) chunk)[i] = source == type ? Platform.getInt(cells.base(), offset) : 0;
        case I64 -> ((long[]) chunk)[i] = asLong(cells.base(), offset, source);
      }
    }
    target.write(at, chunk, 0, count);
  }

  /** Copies cells {@code [at, at + count)} to {@code offset} on. */
  void unstage(CellBuffer source, int at, int count, Object target, long offset) {
    long start = offsetOf(source);
    if (start != 0) {
      Platform.copyMemory(
          baseOf(source),
          start + (long) at * type.bytes(),
          target,
          offset,
          (long) count * type.bytes());
      return;
    }
    for (int from = 0; from < count; from += CHUNK_CELLS) {
      int cells = Math.min(CHUNK_CELLS, count - from);
      source.read(at + from, chunk, 0, cells);
      Platform.copyMemory(
          chunk,
          arrayOffset(type),
          target,
          offset + (long) from * type.bytes(),
          (long) cells * type.bytes());
    }
  }

  /** Returns the array that {@link #offsetOf} counts from, or null if it is an address. */
  private static Object baseOf(CellBuffer buffer) {
    return buffer instanceof HeapCellBuffer heap ? heap.array() : null;
  }

  /** Returns where the first cell is, or 0 if it can only be reached by reads and writes. */
  private long offsetOf(CellBuffer buffer) {
    return buffer instanceof HeapCellBuffer ? arrayOffset(type) : buffer.address();
  }

  static int chunkCells() {
    return CHUNK_CELLS;
  }

  private void load(Object base, long offset, ElementType source, int count) {
    if (source == type) {
      Platform.copyMemory(base, offset, chunk, arrayOffset(type), (long) count * type.bytes());
    } else if (type == ElementType.F64 && source == ElementType.I32) {
      double[] cells = (double[]) chunk;
      for (int i = 0; i < count; i++) {
        cells[i] = Platform.getInt(base, offset + 4L * i);
      }
    } else if (type == ElementType.F64 && source == ElementType.I64) {
      double[] cells = (double[]) chunk;
      for (int i = 0; i < count; i++) {
        cells[i] = (double) Platform.getLong(base, offset + 8L * i);
      }
    } else if (type == ElementType.I64 && source == ElementType.I32) {
      long[] cells = (long[]) chunk;
      for (int i = 0; i < count; i++) {
        cells[i] = Platform.getInt(base, offset + 4L * i);
      }
    } else if (type == ElementType.I32) {
      java.util.Arrays.fill((int[]) chunk, 0, count, 0); // only counted
    } else {
      throw new IllegalArgumentException("no widening from %s to %s".formatted(source, type));
    }
  }

  private static double asDouble(Object base, long offset, ElementType source) {
    return switch (source) {
      case F32 -> Platform.getFloat(base, offset);
      case F64 -> Platform.getDouble(base, offset);
      case I32 -> Platform.getInt(base, offset);
      case I64 -> (double) Platform.getLong(base, offset);
    };
  }

  private static long asLong(Object base, long offset, ElementType source) {
    return source == ElementType.I32
        ? Platform.getInt(base, offset)
        : Platform.getLong(base, offset);
  }
}
