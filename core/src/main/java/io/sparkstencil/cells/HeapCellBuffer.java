/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cells;

import io.sparkstencil.model.ElementType;
import java.util.Arrays;

/**
 * A buffer on the Java heap; what CPU engines read and write as plain arrays. It owns its array, or
 * is a window on arrays of others, one after the other.
 */
public final class HeapCellBuffer extends CellBuffer {
  private final byte[] validity;
  private Object array;
  private int first;
  private int cells;

  /** Allocates zeros. */
  public HeapCellBuffer(ElementType type, int capacity, boolean withValidity) {
    super(type, capacity, withValidity);
    this.array = type.newArray(capacity);
    this.validity = withValidity ? new byte[capacity] : null;
    this.cells = capacity;
  }

  private HeapCellBuffer(ElementType type) {
    super(type, 0, false);
    this.validity = null;
  }

  /** Returns a window that {@link #show} points to cells, which have no validity bytes. */
  public static HeapCellBuffer window(ElementType type) {
    return new HeapCellBuffer(type);
  }

  /**
   * Makes this window show cells {@code [from, from + count)} of {@code newArray}, a primitive
   * array of the type, which is borrowed until the window shows others; null for none.
   */
  public void show(Object newArray, int from, int count) {
    array = newArray;
    first = from;
    cells = count;
  }

  @Override
  public int capacity() {
    return cells;
  }

  /** Returns the index in {@link #array} of the first cell; 0 unless this is a window. */
  public int first() {
    return first;
  }

  /** Returns the array that holds the cells, from {@link #first} on: primitive, of the type. */
  public Object array() {
    return array;
  }

  /** Returns the validity bytes, shape {@code [capacity]}, or null if there are none. */
  public byte[] validity() {
    return validity;
  }

  @Override
  public void write(int at, Object source, int from, int count) {
    System.arraycopy(source, from, array, first + at, count);
  }

  @Override
  public void read(int at, Object target, int to, int count) {
    System.arraycopy(array, first + at, target, to, count);
  }

  @Override
  public void fill(int at, int count, double value) {
    int from = first + at;
    switch (type()) {
      case F32 -> Arrays.fill((float[]) array, from, from + count, (float) value);
      case F64 -> Arrays.fill((double[]) array, from, from + count, value);
      case I32 -> Arrays.fill((int[]) array, from, from + count, (int) value);
      case I64 -> Arrays.fill((long[]) array, from, from + count, (long) value);
    }
  }

  @Override
  public void writeValidity(int at, byte[] source, int from, int count) {
    System.arraycopy(source, from, validity, at, count);
  }

  @Override
  public void readValidity(int at, byte[] target, int to, int count) {
    System.arraycopy(validity, at, target, to, count);
  }

  @Override
  public void fillValidity(int at, int count, byte value) {
    Arrays.fill(validity, at, at + count, value);
  }

  @Override
  public void close() {
    // The garbage collector owns the arrays.
  }
}
