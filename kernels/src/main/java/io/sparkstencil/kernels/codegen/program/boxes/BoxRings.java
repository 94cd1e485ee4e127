/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.boxes;

import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;

/** Places in the ring of a {@link BoxTile}, in which pairs of rows take turns. */
final class BoxRings {
  private BoxRings() {}

  /**
   * Moves a place on by a pair of rows.
   *
   * @param ring where the ring starts
   */
  static void advance(PtxWriter k, BoxTile tile, Register place, Register ring) {
    k.put("add.s32", place, place, tile.pairBytes());
    Register end = k.b32("add.s32", ring, tile.ringBytes());
    k.put("selp.b32", place, ring, place, k.test("setp.ge.u32", place, end));
  }

  /**
   * Returns the place of a row in the ring.
   *
   * @param place where the last pair of rows is
   * @param pairs pairs of rows that came after that of the row
   * @param row the row in its pair
   */
  static Register before(
      PtxWriter k, BoxTile tile, Register place, Register ring, int pairs, int row) {
    Register at = k.b32("sub.u32", place, pairs * tile.pairBytes());
    Register outside = k.test("setp.lt.s32", at, ring);
    k.putIf(outside, "add.s32", at, at, tile.ringBytes());
    return k.b32("add.s32", at, row * tile.rowBytes());
  }
}
