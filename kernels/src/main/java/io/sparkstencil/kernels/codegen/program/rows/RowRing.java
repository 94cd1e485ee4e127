/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Rows that a warp copies ahead into a ring in its shared memory. Neighbouring lanes copy
 * neighbouring chunks, which costs the least traffic; so the lanes wait for each other before they
 * read.
 */
final class RowRing implements TileRows {
  private static final int CHUNK = RowTile.CHUNK_BYTES;

  private final PtxWriter k;
  private final RowTile tile;
  private final List<Register> from;
  private final Register stride;
  private final Register copying;
  private final Register end;
  private final int slotBytes;

  /** The place of this lane's first cell, in the slot that is read and at the ring's ends. */
  private final Register reading;

  private final Register first;
  private final Register behind;

  /** The place of this lane's first chunk in the slot that is filled. */
  private final Register filling;

  /** The distance from a lane's first cell to its first chunk, in bytes. */
  private final Register toChunk;

  /**
   * Prepares the ring.
   *
   * @param from for each input, the address of this lane's first chunk of the row that is copied
   * @param stride bytes between rows
   * @param row the row that is copied first
   * @param end the row behind the last one that is copied
   * @param ring the place of the ring in shared memory
   */
  RowRing(
      PtxWriter k,
      RowTile tile,
      List<Register> from,
      Register stride,
      Register row,
      Register end,
      Register ring,
      Register lane) {
    this.k = k;
    this.tile = tile;
    this.from = from;
    this.stride = stride;
    this.end = end;
    slotBytes = from.size() * tile.rowBytes();
    int own = tile.shape().cells() * tile.type().bytes();
    copying = k.b32("mov.u32", row);
    first = k.b32("mad.lo.s32", lane, own, ring);
    behind = k.b32("add.s32", first, tile.shape().ahead() * slotBytes);
    reading = k.b32("mov.u32", first);
    toChunk = k.b32("mul.lo.s32", lane, CHUNK - own);
    filling = k.b32("add.s32", first, toChunk);
  }

  @Override
  public void begin() {
    for (int i = 0; i < tile.shape().ahead() - 1; i++) {
      copyRow();
      k.put("add.s32", filling, filling, slotBytes);
    }
  }

  /** The slot that is filled is the one that was read before. */
  @Override
  public void next(BiFunction<Integer, Integer, Register> targets) {
    k.put("cp.async.wait_group", tile.shape().ahead() - 2);
    k.put("bar.warp.sync", -1);
    copyRow();
    k.put("add.s32", filling, reading, toChunk);
    int bytes = tile.type().bytes();
    for (int input = 0; input < from.size(); input++) {
      for (int c = 0; c < tile.shape().cells(); c += CHUNK / bytes) {
        k.load(
            "ld.shared",
            TileRows.some(targets, input, c, CHUNK / bytes),
            Address.at(reading, input * tile.rowBytes() + c * bytes));
      }
    }
    k.put("add.s32", reading, reading, slotBytes);
    Register over = k.test("setp.ge.s32", reading, behind);
    k.put("selp.b32", reading, first, reading, over);
  }

  private void copyRow() {
    Register inside = k.test("setp.lt.s32", copying, end);
    for (int input = 0; input < from.size(); input++) {
      for (int at = 0; at < tile.rowBytes(); at += 32 * CHUNK) {
        k.putIf(
            inside,
            "cp.async.cg.shared.global",
            Address.at(filling, input * tile.rowBytes() + at),
            Address.at(from.get(input), at),
            CHUNK);
      }
      k.put("add.s64", from.get(input), from.get(input), stride);
    }
    k.put("cp.async.commit_group");
    k.put("add.s32", copying, copying, 1);
  }
}
