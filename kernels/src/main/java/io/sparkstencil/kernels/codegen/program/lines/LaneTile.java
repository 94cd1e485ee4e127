/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.lines;

import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and writes the tile of a warp. Neighbouring lanes access neighbouring chunks of global
 * memory, and exchange them in shared memory, so that each owns neighbouring cells.
 */
final class LaneTile {
  private static final int CHUNK = LineStream.CHUNK_BYTES;
  private static final int LANES = 32;

  private final PtxWriter k;
  private final LineStream kernel;
  private final PtxType cellType;
  private final int perChunk;
  private final int chunks;
  private final Register lane;
  private final Register own;
  private final Register chunk;

  /**
   * Prepares the tile.
   *
   * @param shared the place of the warp's shared memory
   */
  LaneTile(PtxWriter k, LineStream kernel, Register shared, Register lane) {
    this.k = k;
    this.kernel = kernel;
    this.lane = lane;
    cellType = PtxCells.registers(kernel.type());
    perChunk = CHUNK / kernel.type().bytes();
    chunks = kernel.shape().cells() / perChunk;
    own = k.b32("mad.lo.s32", lane, kernel.laneBytes(), shared);
    // chunk i * 32 + lane is that of lane (i * 32 + lane) / chunks, which has one chunk more
    Register owner = k.b32("shr.u32", lane, Integer.numberOfTrailingZeros(chunks));
    Register at = k.b32("add.s32", lane, owner);
    chunk = k.b32("mad.lo.s32", at, CHUNK, shared);
  }

  private Address sharedChunk(int i) {
    return Address.at(chunk, i * (LANES + LANES / chunks) * CHUNK);
  }

  /**
   * Reads a tile.
   *
   * @param from the address of this lane's first chunk
   */
  List<Register> read(Register from) {
    List<List<Register>> loaded = new ArrayList<>();
    for (int i = 0; i < chunks; i++) {
      List<Register> cells = k.registers(cellType, perChunk);
      k.load("ld.global", cells, Address.at(from, i * LANES * CHUNK));
      loaded.add(cells);
    }
    k.put("bar.warp.sync", -1);
    for (int i = 0; i < chunks; i++) {
      k.store("st.shared", sharedChunk(i), loaded.get(i));
    }
    k.put("bar.warp.sync", -1);
    List<Register> cells = k.registers(cellType, kernel.shape().cells());
    for (int i = 0; i < chunks; i++) {
      List<Register> some = cells.subList(i * perChunk, (i + 1) * perChunk);
      k.load("ld.shared", some, Address.at(own, i * CHUNK));
    }
    return cells;
  }

  /**
   * Writes the results of a tile.
   *
   * @param to the address of this lane's first chunk
   */
  void write(Register to, List<Register> cells) {
    k.put("bar.warp.sync", -1);
    for (int i = 0; i < chunks; i++) {
      List<Register> some = cells.subList(i * perChunk, (i + 1) * perChunk);
      k.store("st.shared", Address.at(own, i * CHUNK), some);
    }
    k.put("bar.warp.sync", -1);
    String store = "st.global.v%d.%s".formatted(perChunk, cellType.declaration());
    for (int i = 0; i < chunks; i++) {
      List<Register> some = k.registers(cellType, perChunk);
      k.load("ld.shared", some, sharedChunk(i));
      Register number = k.b32("add.s32", lane, i * LANES - kernel.firstResult() / perChunk);
      Register valid = k.test("setp.lt.u32", number, kernel.validCells() / perChunk);
      k.putIf(valid, store, Address.at(to, i * LANES * CHUNK), new RegisterVector(some));
    }
  }
}
