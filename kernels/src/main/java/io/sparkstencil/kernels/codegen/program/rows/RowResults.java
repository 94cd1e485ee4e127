/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.CellType;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Writes rows of results. Neighbouring lanes write neighbouring chunks: cells change their lanes in
 * shared memory, unless a lane owns just one chunk.
 */
final class RowResults {
  private static final int CHUNK = RowStream.CHUNK_BYTES;

  private final PtxWriter k;
  private final RowStream kernel;
  private final List<Register> to;
  private final Register stride;
  private final Register staged;
  private final Register stagedChunk;

  /** For each chunk of a lane, whether it holds results. */
  private final List<Register> valid = new ArrayList<>();

  /**
   * Prepares writing.
   *
   * @param to for each output, the address of this lane's first chunk of the row that leaves
   * @param stride bytes between rows
   * @param staging the place of a row of each output in shared memory, or null
   */
  RowResults(
      PtxWriter k,
      RowStream kernel,
      List<Register> to,
      Register stride,
      Register staging,
      Register lane) {
    this.k = k;
    this.kernel = kernel;
    this.to = to;
    this.stride = stride;
    int chunk = CHUNK / kernel.type().bytes();
    for (int at = 0; at < kernel.columns(); at += 32 * chunk) {
      Register number = k.b32("add.s32", lane, (at - kernel.marginBefore()) / chunk);
      valid.add(k.test("setp.lt.u32", number, kernel.validColumns() / chunk));
    }
    boolean staggers = kernel.staggersResults();
    int own = kernel.shape().cells() * kernel.type().bytes();
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
    int bytes = kernel.type().bytes();
    int count = CHUNK / bytes;
    String store =
        "st.global.v%d.%s".formatted(count, CellType.registers(kernel.type()).declaration());
    List<Register> writes =
        valid.stream().map(v -> k.test("setp.lt.and.u32", number, rows, v)).toList();
    if (staged != null) {
      stage(values);
    }
    for (int output = 0; output < to.size(); output++) {
      for (int i = 0; i < writes.size(); i++) {
        List<Register> cells = RowSource.some(values, output, 0, count);
        if (staged != null) {
          cells = k.registers(CellType.registers(kernel.type()), count);
          int at = output * kernel.rowBytes() + i * 32 * CHUNK;
          k.load("ld.shared", cells, Address.at(stagedChunk, at));
        }
        Address there = Address.at(to.get(output), i * 32 * CHUNK);
        k.putIf(writes.get(i), store, there, new RegisterVector(cells));
      }
      k.put("add.s64", to.get(output), to.get(output), stride);
    }
  }

  private void stage(BiFunction<Integer, Integer, Register> values) {
    int bytes = kernel.type().bytes();
    k.put("bar.warp.sync", -1);
    for (int output = 0; output < to.size(); output++) {
      for (int c = 0; c < kernel.shape().cells(); c += CHUNK / bytes) {
        k.store(
            "st.shared",
            Address.at(staged, output * kernel.rowBytes() + c * bytes),
            RowSource.some(values, output, c, CHUNK / bytes));
      }
    }
    k.put("bar.warp.sync", -1);
  }
}
