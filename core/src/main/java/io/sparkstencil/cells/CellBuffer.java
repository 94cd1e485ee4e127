/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cells;

import io.sparkstencil.model.ElementType;

/**
 * Memory for cells of one type, and optionally for one validity byte per cell, in the place that an
 * engine reads from or writes to: a heap array, pinned memory. Lent by a {@link
 * io.sparkstencil.engine.Lane}; closing it returns it. Not safe for use by several threads.
 */
public abstract class CellBuffer implements AutoCloseable {
  private final ElementType type;
  private final int capacity;
  private final boolean withValidity;
  private Object lender;

  /** Describes the memory: {@code capacity} cells, and as many validity bytes if asked for. */
  protected CellBuffer(ElementType type, int capacity, boolean withValidity) {
    this.type = type;
    this.capacity = capacity;
    this.withValidity = withValidity;
  }

  /** Returns the type of the cells. */
  public final ElementType type() {
    return type;
  }

  /** Returns the number of cells that fit. */
  public int capacity() {
    return capacity;
  }

  /** Tells whether there is a validity byte for each cell. */
  public final boolean hasValidity() {
    return withValidity;
  }

  /** Returns what {@link #markLender} was last given, or null. */
  public final Object lender() {
    return lender;
  }

  /** Notes who lent this buffer, for lenders that meet buffers of others. */
  public final void markLender(Object newLender) {
    lender = newLender;
  }

  /**
   * Returns the address of the first cell, for those who copy memory by addresses, or 0 if the
   * cells are on the Java heap. It must not be used after the buffer has been closed.
   */
  public long address() {
    return 0;
  }

  /**
   * Copies {@code count} cells of a primitive array into this buffer.
   *
   * @param at first cell here
   * @param source primitive array of this buffer's type
   * @param from first cell in {@code source}
   */
  public abstract void write(int at, Object source, int from, int count);

  /** Copies {@code count} cells of this buffer from cell {@code at} into a primitive array. */
  public abstract void read(int at, Object target, int to, int count);

  /** Sets cells {@code [at, at + count)} to {@code value}, converted to the type. */
  public abstract void fill(int at, int count, double value);

  /** Copies {@code count} validity bytes into this buffer; 1 is a cell, 0 is null. */
  public abstract void writeValidity(int at, byte[] source, int from, int count);

  /** Copies {@code count} validity bytes of this buffer into {@code target}. */
  public abstract void readValidity(int at, byte[] target, int to, int count);

  /** Sets validity bytes {@code [at, at + count)} to {@code value}. */
  public abstract void fillValidity(int at, int count, byte value);

  @Override
  public abstract void close();
}
