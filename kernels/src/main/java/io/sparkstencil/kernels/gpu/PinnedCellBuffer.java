/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.CudaEvent;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.model.ElementType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/** Cells, and their validity bytes, in leased pinned memory. */
final class PinnedCellBuffer extends CellBuffer {
  private final GpuLane lane;
  private final BufferLease<PinnedBuffer> cells;
  private final BufferLease<PinnedBuffer> validity;
  private final ByteBuffer bytes;
  private final Buffer cellView;
  private final ByteBuffer validityView;

  /** Takes over the leases; {@code validity} is null without validity bytes. */
  PinnedCellBuffer(
      GpuLane lane,
      ElementType type,
      int capacity,
      BufferLease<PinnedBuffer> cells,
      BufferLease<PinnedBuffer> validity) {
    super(type, capacity, validity != null);
    this.lane = lane;
    this.cells = cells;
    this.validity = validity;
    this.bytes = cells.buffer().view(0, (long) capacity * type.bytes());
    this.cellView =
        switch (type) {
          case F32 -> bytes.asFloatBuffer();
          case F64 -> bytes.asDoubleBuffer();
          case I32 -> bytes.asIntBuffer();
          case I64 -> bytes.asLongBuffer();
        };
    this.validityView = validity == null ? null : validity.buffer().view(0, capacity);
  }

  boolean isOf(GpuLane other) {
    return lane == other;
  }

  PinnedBuffer pinnedCells() {
    return cells.buffer();
  }

  PinnedBuffer pinnedValidity() {
    return validity.buffer();
  }

  void inUseUntil(CudaEvent event) {
    cells.inUseUntil(event);
    if (validity != null) {
      validity.inUseUntil(event);
    }
  }

  @Override
  public long address() {
    return cells.buffer().address();
  }

  @Override
  public void write(int at, Object source, int from, int count) {
    switch (type()) {
      case F32 -> ((FloatBuffer) cellView).put(at, (float[]) source, from, count);
      case F64 -> ((DoubleBuffer) cellView).put(at, (double[]) source, from, count);
      case I32 -> ((IntBuffer) cellView).put(at, (int[]) source, from, count);
      case I64 -> ((LongBuffer) cellView).put(at, (long[]) source, from, count);
    }
  }

  @Override
  public void read(int at, Object target, int to, int count) {
    switch (type()) {
      case F32 -> ((FloatBuffer) cellView).get(at, (float[]) target, to, count);
      case F64 -> ((DoubleBuffer) cellView).get(at, (double[]) target, to, count);
      case I32 -> ((IntBuffer) cellView).get(at, (int[]) target, to, count);
      case I64 -> ((LongBuffer) cellView).get(at, (long[]) target, to, count);
    }
  }

  @Override
  public void fill(int at, int count, double value) {
    long bits = PtxCells.bits(type(), value);
    for (int i = at; i < at + count; i++) {
      if (type().bytes() == Integer.BYTES) {
        bytes.putInt(i * Integer.BYTES, (int) bits);
      } else {
        bytes.putLong(i * Long.BYTES, bits);
      }
    }
  }

  @Override
  public void writeValidity(int at, byte[] source, int from, int count) {
    validityView.put(at, source, from, count);
  }

  @Override
  public void readValidity(int at, byte[] target, int to, int count) {
    validityView.get(at, target, to, count);
  }

  @Override
  public void fillValidity(int at, int count, byte value) {
    for (int i = at; i < at + count; i++) {
      validityView.put(i, value);
    }
  }

  @Override
  public void close() {
    cells.close();
    if (validity != null) {
      validity.close();
    }
    lane.forget(this);
  }
}
