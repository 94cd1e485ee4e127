/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.segment.Halo;
import io.sparkstencil.spark.catalyst.interop.MemoryCells;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * Cells of one type in a primitive array that grows, with a validity byte for each as soon as one
 * is null. Used by one thread.
 */
public final class CellColumn implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int FIRST_CAPACITY = 64;

  private final ElementType type;
  private Object cells; // primitive array of the type
  private byte[] validity;
  private int capacity;
  private int length;

  /** Creates an empty column with room for {@code capacity} cells. */
  public CellColumn(ElementType type, int capacity) {
    this.type = type;
    this.capacity = Math.max(FIRST_CAPACITY, capacity);
    this.cells = type.newArray(this.capacity);
  }

  /** Returns the type of the cells. */
  public ElementType type() {
    return type;
  }

  /** Returns the number of cells. */
  public int length() {
    return length;
  }

  /** Returns the cells: a primitive array of the type, longer than {@link #length()}. */
  public Object array() {
    return cells;
  }

  /** Returns 1 for each cell and 0 for each null, or null if no cell is null. */
  public byte[] validity() {
    return validity;
  }

  /** Returns the bytes of its arrays. */
  public long bytes() {
    return (long) capacity * (type.bytes() + (validity == null ? 0 : 1));
  }

  /** Appends a cell of an F64 column. */
  public void add(double cell) {
    int at = reserve(1);
    ((double[]) cells)[at] = cell;
  }

  /** Appends a cell of an I32 column. */
  public void add(int cell) {
    int at = reserve(1);
    ((int[]) cells)[at] = cell;
  }

  /** Appends a cell of an I64 column. */
  public void add(long cell) {
    int at = reserve(1);
    ((long[]) cells)[at] = cell;
  }

  /** Appends a null; its entry in {@link #array()} is 0, as all that were not written are. */
  public void addNull() {
    setNull(reserve(1));
  }

  /** Appends {@code count} cells of a primitive array, converted to the type of the column. */
  public void addArray(Object source, int from, int count) {
    int at = reserve(count);
    HeapCellBuffer target = HeapCellBuffer.window(type);
    target.show(cells, at, count);
    MemoryCells.ofArray(source).copy(from, count, target, 0);
  }

  /** Makes cells of an I32 or I64 column {@code value}. */
  public void fill(int from, int until, long value) {
    if (cells instanceof int[] ints) {
      Arrays.fill(ints, from, until, (int) value);
    } else {
      Arrays.fill((long[]) cells, from, until, value);
    }
  }

  /** Makes cell {@code index} a null. */
  public void setNull(int index) {
    allowNulls(length);
    validity[index] = 0;
  }

  private void allowNulls(int cells) {
    if (validity == null) {
      validity = new byte[capacity];
      Arrays.fill(validity, 0, cells, (byte) 1);
    }
  }

  /** Appends {@code count} cells of another column of the same type, from {@code from} on. */
  public void addAll(CellColumn other, int from, int count) {
    int at = reserve(count);
    System.arraycopy(other.cells, from, cells, at, count);
    if (other.validity != null) {
      allowNulls(at);
      System.arraycopy(other.validity, from, validity, at, count);
    }
  }

  /** Takes the first {@code count} cells out, so that all others move to the front. */
  public void removeFirst(int count) {
    int rest = length - count;
    System.arraycopy(cells, count, cells, 0, rest);
    if (validity != null && rest > 0) {
      System.arraycopy(validity, count, validity, 0, rest);
    } else {
      validity = null;
    }
    clear(rest, length);
    length = rest;
  }

  /** Takes all cells out. */
  public void clear() {
    removeFirst(length);
  }

  /** Makes cells 0, as those that were never written are. */
  private void clear(int from, int until) {
    switch (type) {
      case F32 -> Arrays.fill((float[]) cells, from, until, 0);
      case F64 -> Arrays.fill((double[]) cells, from, until, 0);
      case I32 -> Arrays.fill((int[]) cells, from, until, 0);
      case I64 -> Arrays.fill((long[]) cells, from, until, 0);
    }
  }

  /** Makes cell {@code index} what a cell of another column of the same type is. */
  public void set(int index, CellColumn other, int from) {
    switch (type) {
      case F32 -> ((float[]) cells)[index] = ((float[]) other.cells)[from];
      case F64 -> ((double[]) cells)[index] = ((double[]) other.cells)[from];
      case I32 -> ((int[]) cells)[index] = ((int[]) other.cells)[from];
      case I64 -> ((long[]) cells)[index] = ((long[]) other.cells)[from];
    }
    if (other.isNull(from)) {
      setNull(index);
    }
  }

  /**
   * Appends {@code count} cells that the caller then writes into {@link #array()}.
   *
   * @return the index of the first
   */
  public int reserve(int count) {
    int at = length;
    if (count > capacity - at) {
      grow(Math.addExact(at, count));
    }
    length = at + count;
    if (validity != null) {
      Arrays.fill(validity, at, length, (byte) 1);
    }
    return at;
  }

  private void grow(int needed) {
    capacity = (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, 2L * capacity));
    Object longer = type.newArray(capacity);
    System.arraycopy(cells, 0, longer, 0, Array.getLength(cells));
    cells = longer;
    if (validity != null) {
      validity = Arrays.copyOf(validity, capacity);
    }
  }

  /** Tells whether cell {@code index} is null. */
  public boolean isNull(int index) {
    return validity != null && validity[index] == 0;
  }

  /** Returns the raw bits of cell {@code index}, 0 for a null. */
  public long bits(int index) {
    return switch (type) {
      case F32 -> Float.floatToRawIntBits(((float[]) cells)[index]);
      case F64 -> Double.doubleToRawLongBits(((double[]) cells)[index]);
      case I32 -> ((int[]) cells)[index];
      case I64 -> ((long[]) cells)[index];
    };
  }

  /** Appends the cell that has these raw bits. */
  public void addBits(long bits) {
    int at = reserve(1);
    switch (type) {
      case F32 -> ((float[]) cells)[at] = Float.intBitsToFloat((int) bits);
      case F64 -> ((double[]) cells)[at] = Double.longBitsToDouble(bits);
      case I32 -> ((int[]) cells)[at] = (int) bits;
      case I64 -> ((long[]) cells)[at] = bits;
    }
  }

  /** Returns a copy of {@code count} cells from {@code from} on as a halo without missing cells. */
  public Halo halo(int from, int count) {
    Object copy = type.newArray(count);
    System.arraycopy(cells, from, copy, 0, count);
    return new Halo(
        copy, validity == null ? null : Arrays.copyOfRange(validity, from, from + count), 0);
  }
}
