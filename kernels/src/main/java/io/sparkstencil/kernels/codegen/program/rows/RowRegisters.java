/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** Rows of which the next one is loaded into registers while the one before is computed with. */
final class RowRegisters implements TileRows {
  private final PtxWriter k;
  private final RowTile tile;
  private final List<Register> from;
  private final Register stride;
  private final Register loading;
  private final Register end;
  private final List<List<Register>> coming;

  /**
   * Prepares the registers.
   *
   * @param from for each input, the address of this lane's first cell of the row that is loaded
   * @param stride bytes between rows
   * @param row the row that is loaded first
   * @param end the row behind the last one that is loaded
   */
  RowRegisters(
      PtxWriter k, RowTile tile, List<Register> from, Register stride, Register row, Register end) {
    this.k = k;
    this.tile = tile;
    this.from = from;
    this.stride = stride;
    this.end = end;
    loading = k.b32("mov.u32", row);
    coming =
        Stream.generate(() -> k.registers(PtxCells.registers(tile.type()), tile.shape().cells()))
            .limit(from.size())
            .toList();
  }

  @Override
  public void begin() {
    loadRow();
  }

  @Override
  public void next(BiFunction<Integer, Integer, Register> targets) {
    String move = "mov." + PtxCells.registers(tile.type()).declaration();
    for (int input = 0; input < from.size(); input++) {
      for (int c = 0; c < tile.shape().cells(); c++) {
        k.put(move, targets.apply(input, c), coming.get(input).get(c));
      }
    }
    loadRow();
  }

  private void loadRow() {
    int bytes = tile.type().bytes();
    int count = RowTile.CHUNK_BYTES / bytes;
    String load =
        "ld.global.v%d.%s".formatted(count, PtxCells.registers(tile.type()).declaration());
    Register inside = k.test("setp.lt.s32", loading, end);
    for (int input = 0; input < from.size(); input++) {
      for (int c = 0; c < tile.shape().cells(); c += count) {
        RegisterVector targets = new RegisterVector(coming.get(input).subList(c, c + count));
        k.putIf(inside, load, targets, Address.at(from.get(input), c * bytes));
      }
    }
    from.forEach(field -> k.put("add.s64", field, field, stride));
    k.put("add.s32", loading, loading, 1);
  }
}
