/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.CellSink;
import io.sparkstencil.cells.CellSource;
import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.model.ElementType;
import java.lang.reflect.Array;
import java.util.Arrays;
import org.apache.spark.unsafe.Platform;

/**
 * The elements of one array in Spark's memory: in a Java array or off the heap, addressed as {@link
 * Platform} does, with a bitset of nulls or none. They are copied once where an engine's memory can
 * be addressed, a small part at a time through the first-level cache elsewhere or where the types
 * differ. Results are copied to them in the same way. Mutable, so that one object serves many
 * arrays.
 */
public final class MemoryCells implements CellSource, CellSink {
  private static final int CHUNK_CELLS = 2048;

  private final ElementType type;
  private Object chunk; // of the type that was asked for last
  private byte[] validity; // of a part
  private Object base;
  private long offset;
  private int length;
  private boolean hasNulls;
  private Object nullBase;
  private long nullOffset;

  /** Creates cells of {@code type} that point nowhere. */
  public MemoryCells(ElementType type) {
    this.type = type;
  }

  /** Returns the cells of a primitive array. */
  public static MemoryCells ofArray(Object array) {
    MemoryCells cells = new MemoryCells(ElementType.ofArrays(array.getClass()));
    cells.set(array, arrayOffset(cells.type), Array.getLength(array));
    return cells;
  }

  /** Says how many elements {@link #set} will point to. */
  public void setLength(int newLength) {
    set(null, 0, newLength);
  }

  /** Points to {@code newLength} elements without nulls. */
  public void set(Object newBase, long newOffset, int newLength) {
    base = newBase;
    offset = newOffset;
    length = newLength;
    hasNulls = false;
    nullBase = null;
    nullOffset = 0;
  }

  /**
   * Points to {@code newLength} elements of which some may be null.
   *
   * @param newNullBase with {@code newNullOffset}, the first 64-bit word of a bitset with 1 for
   *     null
   */
  public void set(
      Object newBase, long newOffset, int newLength, Object newNullBase, long newNullOffset) {
    set(newBase, newOffset, newLength);
    for (int word = 0; word < words(newLength) && !hasNulls; word++) {
      hasNulls = Platform.getLong(newNullBase, newNullOffset + 8L * word) != 0;
    }
    if (hasNulls) {
      nullBase = newNullBase;
      nullOffset = newNullOffset;
    }
  }

  private static int words(int bits) {
    return (bits + 63) >>> 6;
  }

  /** Returns the offset of cell 0 of a Java array of {@code type}, as {@link Platform} counts. */
  public static long arrayOffset(ElementType type) {
    return switch (type) {
      case F32 -> Platform.FLOAT_ARRAY_OFFSET;
      case F64 -> Platform.DOUBLE_ARRAY_OFFSET;
      case I32 -> Platform.INT_ARRAY_OFFSET;
      case I64 -> Platform.LONG_ARRAY_OFFSET;
    };
  }

  /** Returns the array that {@link #offsetOf} counts from, or null if it is an address. */
  private static Object baseOf(CellBuffer buffer) {
    return buffer instanceof HeapCellBuffer heap ? heap.array() : null;
  }

  /** Returns where a cell is, or 0 if it can only be reached by reads and writes. */
  private static long offsetOf(CellBuffer buffer, int at) {
    long bytes = buffer.type().bytes();
    if (buffer instanceof HeapCellBuffer heap) {
      return arrayOffset(buffer.type()) + (heap.first() + (long) at) * bytes;
    }
    return buffer.address() == 0 ? 0 : buffer.address() + at * bytes;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public boolean hasNulls() {
    return hasNulls;
  }

  @Override
  public void copy(long from, int count, CellBuffer target, int at) {
    ElementType to = target.type();
    long targetOffset = offsetOf(target, at);
    long start = offset + from * type.bytes();
    if (type == to && targetOffset != 0) {
      Platform.copyMemory(base, start, baseOf(target), targetOffset, (long) count * type.bytes());
      return;
    }
    requireChunk(to);
    for (int done = 0; done < count; done += CHUNK_CELLS) {
      int part = Math.min(CHUNK_CELLS, count - done);
      load(start + (long) done * type.bytes(), part, to);
      target.write(at + done, chunk, 0, part);
    }
  }

  @Override
  public void take(CellBuffer results, int at, int count) {
    long from = offsetOf(results, at);
    if (from != 0) {
      Platform.copyMemory(baseOf(results), from, base, offset, (long) count * type.bytes());
      return;
    }
    requireChunk(type);
    for (int done = 0; done < count; done += CHUNK_CELLS) {
      int part = Math.min(CHUNK_CELLS, count - done);
      results.read(at + done, chunk, 0, part);
      long to = offset + (long) done * type.bytes();
      Platform.copyMemory(chunk, arrayOffset(type), base, to, (long) part * type.bytes());
    }
  }

  private void requireChunk(ElementType cells) {
    if (chunk == null || chunk.getClass() != cells.newArray(0).getClass()) {
      chunk = cells.newArray(CHUNK_CELLS);
    }
  }

  private void load(long start, int count, ElementType to) {
    if (type == to) {
      Platform.copyMemory(base, start, chunk, arrayOffset(to), (long) count * to.bytes());
    } else if (to == ElementType.F64 && type == ElementType.I32) {
      double[] cells = (double[]) chunk;
      for (int i = 0; i < count; i++) {
        cells[i] = Platform.getInt(base, start + 4L * i);
      }
    } else if (to == ElementType.F64 && type == ElementType.I64) {
      double[] cells = (double[]) chunk;
      for (int i = 0; i < count; i++) {
        cells[i] = (double) Platform.getLong(base, start + 8L * i);
      }
    } else if (to == ElementType.F64 && type == ElementType.F32) {
      double[] cells = (double[]) chunk;
      for (int i = 0; i < count; i++) {
        cells[i] = Platform.getFloat(base, start + 4L * i);
      }
    } else if (to == ElementType.I64 && type == ElementType.I32) {
      long[] cells = (long[]) chunk;
      for (int i = 0; i < count; i++) {
        cells[i] = Platform.getInt(base, start + 4L * i);
      }
    } else if (to == ElementType.I32) {
      Arrays.fill((int[]) chunk, 0, count, 0); // only counted
    } else {
      throw new IllegalArgumentException("no widening from %s to %s".formatted(type, to));
    }
  }

  @Override
  public void gather(long[] indices, int count, Object target) {
    for (int i = 0; i < count; i++) {
      long at = offset + indices[i] * type.bytes();
      if (target instanceof float[] floats) {
        floats[i] = Platform.getFloat(base, at);
      } else if (target instanceof double[] doubles) {
        doubles[i] = asDouble(at);
      } else if (target instanceof long[] longs) {
        longs[i] = type == ElementType.I32 ? Platform.getInt(base, at) : Platform.getLong(base, at);
      } else {
        ((int[]) target)[i] = type == ElementType.I32 ? Platform.getInt(base, at) : 0;
      }
    }
  }

  private double asDouble(long at) {
    return switch (type) {
      case F32 -> Platform.getFloat(base, at);
      case F64 -> Platform.getDouble(base, at);
      case I32 -> Platform.getInt(base, at);
      case I64 -> (double) Platform.getLong(base, at);
    };
  }

  @Override
  public void copyValidity(long from, int count, CellBuffer target, int at) {
    if (validity == null) {
      validity = new byte[CHUNK_CELLS];
    }
    for (int done = 0; done < count; done += CHUNK_CELLS) {
      int part = Math.min(CHUNK_CELLS, count - done);
      for (int i = 0; i < part; i++) {
        validity[i] = validityOf(from + done + i);
      }
      target.writeValidity(at + done, validity, 0, part);
    }
  }

  @Override
  public void gatherValidity(long[] indices, int count, byte[] target) {
    for (int i = 0; i < count; i++) {
      target[i] = validityOf(indices[i]);
    }
  }

  private byte validityOf(long index) {
    long word = Platform.getLong(nullBase, nullOffset + (index >>> 6 << 3));
    return (byte) (~(word >>> (index & 63)) & 1);
  }
}
