/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cells;

import io.sparkstencil.model.ElementType;
import java.util.Arrays;

/** A buffer on the Java heap; what CPU engines read and write as plain arrays. */
public final class HeapCellBuffer extends CellBuffer {
  private final Object array;
  private final byte[] validity;

  /** Allocates zeros. */
  public HeapCellBuffer(ElementType type, int capacity, boolean withValidity) {
    super(type, capacity, withValidity);
    this.array = type.newArray(capacity);
    this.validity = withValidity ? new byte[capacity] : null;
  }

  /** Returns the cells: a primitive array of the type, shape {@code [capacity]}. */
  public Object array() {
    return array;
  }

  /** Returns the validity bytes, shape {@code [capacity]}, or null if there are none. */
  public byte[] validity() {
    return validity;
  }

  @Override
  public void write(int at, Object source, int from, int count) {
    System.arraycopy(source, from, array, at, count);
  }

  @Override
  public void read(int at, Object target, int to, int count) {
    System.arraycopy(array, at, target, to, count);
  }

  @Override
  public void fill(int at, int count, double value) {
    switch (type()) {
      case F32 -> Arrays.fill((float[]) array, at, at + count, (float) value);
      case F64 -> Arrays.fill((double[]) array, at, at + count, value);
      case I32 -> Arrays.fill((int[]) array, at, at + count, (int) value);
      case I64 -> Arrays.fill((long[]) array, at, at + count, (long) value);
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
