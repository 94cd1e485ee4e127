/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.boxes;

import static io.sparkstencil.kernels.codegen.program.boxes.BoxTile.CELL_BYTES;
import static io.sparkstencil.kernels.codegen.program.boxes.BoxTile.HALF_BYTES;

import io.sparkstencil.kernels.codegen.program.boxes.WeightedBox.Weighted;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.List;

/** Computes the results of a lane once more, cell by cell, from the rows that are in the ring. */
final class BoxRepair {
  private final PtxWriter k;
  private final BoxTile tile;
  private final Register reading;
  private final Register ring;
  private final Register own;
  private final Register lane;

  /**
   * Prepares the repair.
   *
   * @param reading where the pair of rows is that came after the last one of the results
   * @param ring where its ring starts
   * @param own from the start of a pair to the first cell of the lane's results
   */
  BoxRepair(
      PtxWriter k, BoxTile tile, Register reading, Register ring, Register own, Register lane) {
    this.k = k;
    this.tile = tile;
    this.reading = reading;
    this.ring = ring;
    this.own = own;
    this.lane = lane;
  }

  /** Writes the loop over both halves of the warp's columns. */
  void write(List<Register> results) {
    // from the row of the lane's results in a pair to the upper row
    Register lower = k.test("setp.ne.u32", k.b32("and.b32", lane, 2), 0);
    Register columns = k.b32("sub.s32", own, k.b32("selp.s32", tile.rowBytes(), 0, lower));
    Register half = k.b32("mov.u32", 0);
    k.loop(
        "repair",
        "repaired",
        () -> k.test("setp.gt.s32", half, HALF_BYTES),
        () -> {
          Register second = k.test("setp.ne.s32", half, 0);
          List<Register> made = k.registers(PtxType.F64, 2);
          chain(made, k.b32("add.s32", columns, half), lower);
          for (int i = 0; i < 2; i++) {
            k.putUnless(second, "mov.f64", results.get(i), made.get(i));
            k.putIf(second, "mov.f64", results.get(2 + i), made.get(i));
          }
          k.put("add.s32", half, half, HALF_BYTES);
        });
  }

  private void chain(List<Register> made, Register columns, Register lower) {
    WeightedBoxRow first = new WeightedBoxRow(row(0, columns, lower));
    first.begin(made, tile.box().first());
    for (int row = 0; row < tile.box().width(); row++) {
      int now = row;
      List<Weighted> cells =
          tile.box().others().stream().filter(cell -> cell.row() == now).toList();
      if (!cells.isEmpty()) {
        WeightedBoxRow at = row == 0 ? first : new WeightedBoxRow(row(row, columns, lower));
        cells.forEach(cell -> at.add(made, cell));
      }
    }
  }

  /** Returns where a row of the box is, for results in the upper or the lower row of their pair. */
  private Register row(int row, Register columns, Register lower) {
    Register upperRow = inRing(row);
    Register lowerRow = inRing(row + 1);
    return k.b32("add.s32", k.select(lowerRow, upperRow, lower), columns);
  }

  private Register inRing(int row) {
    int pairs = tile.radius() + 1 - row / BoxTile.PLACE_ROWS;
    return BoxRings.before(k, tile, reading, ring, pairs, row % BoxTile.PLACE_ROWS);
  }

  /** The cells of a row of the box for two neighbouring results. */
  private final class WeightedBoxRow {
    private final Register at;

    WeightedBoxRow(Register at) {
      this.at = at;
    }

    void begin(List<Register> made, Weighted cell) {
      for (int i = 0; i < made.size(); i++) {
        k.put("mul.rn.f64", made.get(i), load(cell, i), Literal.f64(cell.weight()));
      }
    }

    void add(List<Register> made, Weighted cell) {
      for (int i = 0; i < made.size(); i++) {
        Register sum = made.get(i);
        k.put("fma.rn.f64", sum, load(cell, i), Literal.f64(cell.weight()), sum);
      }
    }

    private Register load(Weighted cell, int result) {
      int offset = (cell.column() + result) * CELL_BYTES;
      return k.make(PtxType.F64, "ld.shared.f64", Address.at(at, offset));
    }
  }
}
