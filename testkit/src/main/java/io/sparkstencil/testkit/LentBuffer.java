/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.cells.CellBuffer;

/** A buffer that refuses use after it was returned. */
final class LentBuffer extends CellBuffer {
  private final CellBuffer buffer;
  private final Runnable onReturn;
  private boolean returned;

  LentBuffer(CellBuffer buffer, Runnable onReturn) {
    super(buffer.type(), buffer.capacity(), buffer.hasValidity());
    this.buffer = buffer;
    this.onReturn = onReturn;
  }

  static CellBuffer unwrap(CellBuffer lent) {
    return ((LentBuffer) lent).open();
  }

  private CellBuffer open() {
    if (returned) {
      throw new IllegalStateException("a buffer is used after it was returned");
    }
    return buffer;
  }

  @Override
  public void write(int at, Object source, int from, int count) {
    open().write(at, source, from, count);
  }

  @Override
  public void read(int at, Object target, int to, int count) {
    open().read(at, target, to, count);
  }

  @Override
  public void fill(int at, int count, double value) {
    open().fill(at, count, value);
  }

  @Override
  public void writeValidity(int at, byte[] source, int from, int count) {
    open().writeValidity(at, source, from, count);
  }

  @Override
  public void readValidity(int at, byte[] target, int to, int count) {
    open().readValidity(at, target, to, count);
  }

  @Override
  public void fillValidity(int at, int count, byte value) {
    open().fillValidity(at, count, value);
  }

  @Override
  public void close() {
    if (!returned) {
      returned = true;
      buffer.close();
      onReturn.run();
    }
  }
}
