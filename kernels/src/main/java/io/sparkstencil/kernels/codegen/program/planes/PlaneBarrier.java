/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;

/**
 * The barrier of a plane, at which warps wait for the rows of others. Where a shape overlaps, a
 * warp goes on between its arrival and its wait.
 */
final class PlaneBarrier {
  private static final int ALL_LANES = -1;

  private final PtxWriter k;
  private final boolean overlaps;
  private final Address at;
  private final Register leader;
  private final Register parity;

  /** Writes the start of a block. */
  PlaneBarrier(PtxWriter k, PlaneTile tile, PlaneFrame frame) {
    this.k = k;
    overlaps = tile.shape().overlaps();
    if (!overlaps) {
      at = null;
      leader = null;
      parity = null;
      return;
    }
    at = Address.at(k.b32("mov.u32", new Symbol("tile")), tile.memory().barrier());
    leader = k.test("setp.eq.s32", frame.lane, 0);
    parity = k.b32("mov.b32", 0);
    Register first = k.test("setp.eq.and.s32", frame.warp, 0, leader);
    k.putIf(first, "mbarrier.init.shared::cta.b64", at, tile.shape().warps());
    k.put("bar.sync", 0);
  }

  /** Returns where the text runs that waits like this. */
  static PtxTarget target(PlaneShape shape) {
    return shape.overlaps() ? PtxTarget.HOPPER : PtxTarget.AMPERE;
  }

  /** Writes the arrival of a warp, behind which others may read what it has written. */
  void arrive() {
    if (overlaps) {
      k.put("bar.warp.sync", ALL_LANES);
      k.putIf(leader, "mbarrier.arrive.shared::cta.b64", new Symbol("_"), at);
    }
  }

  /** Writes the wait for the arrival of all warps. */
  void await() {
    if (!overlaps) {
      k.put("bar.sync", 0);
      return;
    }
    Symbol again = k.label("wait");
    k.place(again);
    k.putUnless(k.test("mbarrier.try_wait.parity.shared::cta.b64", at, parity), "bra", again);
    k.put("xor.b32", parity, parity, 1);
  }
}
