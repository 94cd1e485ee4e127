/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.model.ElementType;
import org.apache.spark.unsafe.Platform;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cells to and from buffers of every kind: on the heap, at an address, behind reads and writes. */
final class MemoryCellsTest {
  private static final int CELLS = 5000;
  private static final int AT = 7;

  /** A buffer that is not on the heap; tells its address or keeps it to itself. */
  private static final class OutsideBuffer extends CellBuffer {
    private final long memory;
    private final boolean tells;

    OutsideBuffer(ElementType type, boolean tells) {
      super(type, AT + CELLS, false);
      this.memory = Platform.allocateMemory((long) (AT + CELLS) * type.bytes());
      this.tells = tells;
    }

    @Override
    public long address() {
      return tells ? memory : 0;
    }

    private long at(int cell) {
      return memory + (long) cell * type().bytes();
    }

    @Override
    public void write(int at, Object source, int from, int count) {
      assertThat(tells).as("an address is there to be used").isFalse();
      long offset = MemoryCells.arrayOffset(type()) + (long) from * type().bytes();
      Platform.copyMemory(source, offset, null, at(at), (long) count * type().bytes());
    }

    @Override
    public void read(int at, Object target, int to, int count) {
      assertThat(tells).as("an address is there to be used").isFalse();
      long offset = MemoryCells.arrayOffset(type()) + (long) to * type().bytes();
      Platform.copyMemory(null, at(at), target, offset, (long) count * type().bytes());
    }

    @Override
    public void fill(int at, int count, double value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void writeValidity(int at, byte[] source, int from, int count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void readValidity(int at, byte[] target, int to, int count) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void fillValidity(int at, int count, byte value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      Platform.freeMemory(memory);
    }
  }

  @ParameterizedTest
  @EnumSource
  void cellsComeBackAsTheyWere(ElementType type) {
    byte[] bytes = new byte[CELLS * type.bytes()];
    new java.util.Random(3).nextBytes(bytes);
    MemoryCells cells = new MemoryCells(type);
    cells.set(bytes, Platform.BYTE_ARRAY_OFFSET, CELLS);
    MemoryCells target = new MemoryCells(type);
    for (CellBuffer buffer :
        new CellBuffer[] {
          new HeapCellBuffer(type, AT + CELLS, false),
          new OutsideBuffer(type, true),
          new OutsideBuffer(type, false)
        }) {
      try (buffer) {
        cells.copy(0, CELLS, buffer, AT);
        byte[] back = new byte[bytes.length];
        target.set(back, Platform.BYTE_ARRAY_OFFSET, CELLS);
        target.take(buffer, AT, CELLS);
        assertThat(back).isEqualTo(bytes);
      }
    }
  }
}
