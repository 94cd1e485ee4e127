/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Writes rows of results. Neighbouring lanes write neighbouring chunks: cells change their lanes in
 * shared memory, unless a lane owns just one chunk.
 */
final class RowResults {
  private static final int CHUNK = RowTile.CHUNK_BYTES;

  private final PtxWriter k;
  private final RowTile tile;
  private final List<Register> to;
  private final Register stride;
  private final Register staged;
  private final Register stagedChunk;

  /** For each chunk of a lane in the order of memory, whether all its cells are results. */
  private final List<Register> valid;

  /** Whether the lane's last chunk has results and, behind these, padding; or null. */
  private final Register partial;

  /**
   * Prepares writing.
   *
   * @param to for each output, the address of this lane's first chunk of the row that leaves
   * @param stride bytes between rows
   * @param valid for each chunk of a lane in the order of memory, whether all its cells are results
   * @param partial whether the lane's last chunk has results and, behind these, padding; null if no
   *     chunk has
   * @param staging the place of a row of each output in shared memory, or null
   */
  RowResults(
      PtxWriter k,
      RowTile tile,
      List<Register> to,
      Register stride,
      List<Register> valid,
      Register partial,
      Register staging,
      Register lane) {
    this.k = k;
    this.tile = tile;
    this.to = to;
    this.stride = stride;
    this.valid = valid;
    this.partial = partial;
    boolean staggers = tile.staggersResults();
    int own = tile.shape().cells() * tile.type().bytes();
    staged = staggers ? k.b32("mad.lo.s32", lane, own, staging) : null;
    stagedChunk = staggers ? k.b32("mad.lo.s32", lane, CHUNK, staging) : null;
  }

  /**
   * Writes a row, if it is one of results, and moves on to the next one.
   *
   * @param number how many rows it is behind the first one of results; negative before that
   * @param rows the rows of results
   * @param values the register of a lane's cell, by the index of the output and of the cell
   */
  void write(Register number, Register rows, BiFunction<Integer, Integer, Register> values) {
    int bytes = tile.type().bytes();
    int count = CHUNK / bytes;
    String store =
        "st.global.v%d.%s".formatted(count, PtxCells.registers(tile.type()).declaration());
    List<Register> writes =
        valid.stream().map(v -> k.test("setp.lt.and.u32", number, rows, v)).toList();
    Register end = partial == null ? null : k.test("setp.lt.and.u32", number, rows, partial);
    if (staged != null) {
      stage(values);
    }
    for (int output = 0; output < to.size(); output++) {
      for (int i = 0; i < writes.size(); i++) {
        List<Register> cells = TileRows.some(values, output, 0, count);
        if (staged != null) {
          cells = k.registers(PtxCells.registers(tile.type()), count);
          int at = output * tile.rowBytes() + i * 32 * CHUNK;
          k.load("ld.shared", cells, Address.at(stagedChunk, at));
        }
        Address there = Address.at(to.get(output), i * 32 * CHUNK);
        k.putIf(writes.get(i), store, there, new RegisterVector(cells));
        if (end != null && i == writes.size() - 1) {
          writeSome(end, there, cells.subList(0, count - tile.ends().padding()));
        }
      }
      k.put("add.s64", to.get(output), to.get(output), stride);
    }
  }

  /** Writes the first cells of a chunk. */
  private void writeSome(Register where, Address there, List<Register> cells) {
    String store = "st.global." + PtxCells.registers(tile.type()).declaration();
    for (int c = 0; c < cells.size(); c++) {
      Address at = Address.at(there.base(), there.offset() + c * tile.type().bytes());
      k.putIf(where, store, at, cells.get(c));
    }
  }

  private void stage(BiFunction<Integer, Integer, Register> values) {
    int bytes = tile.type().bytes();
    k.put("bar.warp.sync", -1);
    for (int output = 0; output < to.size(); output++) {
      for (int c = 0; c < tile.shape().cells(); c += CHUNK / bytes) {
        k.store(
            "st.shared",
            Address.at(staged, output * tile.rowBytes() + c * bytes),
            TileRows.some(values, output, c, CHUNK / bytes));
      }
    }
    k.put("bar.warp.sync", -1);
  }
}
