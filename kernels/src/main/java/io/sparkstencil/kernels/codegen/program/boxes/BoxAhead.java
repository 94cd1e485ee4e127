/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.boxes;

import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;

/**
 * Copies pairs of rows ahead into the ring of a {@link BoxTile}. Each thread copies a unit of each
 * row; the first ones also copy those behind the columns of results.
 */
final class BoxAhead {
  private static final int CHUNK = BoxTile.CHUNK_BYTES;

  /** Units of a row of results: as many as threads. */
  private static final int UNITS = BoxTile.COLUMNS * BoxTile.CELL_BYTES / CHUNK;

  private final PtxWriter k;
  private final BoxTile tile;
  private final Register slot;
  private final Register ring;
  private final Symbol stride;

  /** Where the first unit of a thread is, and from the start of a pair to where it goes. */
  private final Register from;

  private final Register to;

  /** Whether a thread copies units behind the columns of results. */
  private final Register behind;

  /**
   * Prepares copies.
   *
   * @param origin the address of the first result of the block
   * @param stride the parameter that says how many bytes are between rows
   */
  BoxAhead(
      PtxWriter k, BoxTile tile, Register ring, Register thread, Register origin, Symbol stride) {
    this.k = k;
    this.tile = tile;
    this.stride = stride;
    this.ring = ring;
    slot = k.b32("mov.u32", ring);
    Register first = k.b64("mov.b64", origin);
    step(first, -tile.radius());
    k.put("sub.s64", first, first, tile.radius() * BoxTile.CELL_BYTES);
    from = k.b64("mad.wide.s32", thread, CHUNK, first);
    to = k.b32("mul.lo.s32", thread, CHUNK);
    behind = k.test("setp.lt.u32", thread, tile.radius());
  }

  private void step(Register address, int rows) {
    Register bytes = k.b32("ld.param.b32", Address.at(stride, 0));
    k.put("mad.wide.s32", address, bytes, rows, address);
  }

  /** Begins the copies of the first pairs, of which there are more. */
  void begin() {
    for (int pair = 0; pair < BoxTile.AHEAD; pair++) {
      copy(null);
    }
  }

  /**
   * Waits until the next pairs are there for the whole block, and begins other copies.
   *
   * @param left the pairs of rows for which the block still runs, one more than it reads
   */
  void turn(Register left) {
    int pairs = tile.pairsOfTurn();
    k.put("cp.async.wait_group", BoxTile.AHEAD - pairs);
    k.put("bar.sync", 0);
    for (int pair = 0; pair < pairs; pair++) {
      copy(k.test("setp.gt.s32", left, pair + BoxTile.AHEAD + 1));
    }
  }

  private void copy(Register inside) {
    Register at = k.b32("add.s32", slot, to);
    Register more = inside == null ? behind : k.test("and.pred", inside, behind);
    for (int row = 0; row < BoxTile.PLACE_ROWS; row++) {
      int offset = row * tile.rowBytes();
      copy(inside, Address.at(at, offset), Address.at(from, 0));
      copy(more, Address.at(at, offset + UNITS * CHUNK), Address.at(from, UNITS * CHUNK));
      step(from, 1);
    }
    k.put("cp.async.commit_group");
    BoxRings.advance(k, tile, slot, ring);
  }

  private void copy(Register wanted, Address target, Address source) {
    k.putIf(wanted, "cp.async.cg.shared.global", target, source, CHUNK);
  }
}
