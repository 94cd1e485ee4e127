/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.boxes;

import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The weights of a {@link BoxTile} as right matrices: each lane keeps one of each in a register.
 */
final class BoxWeights {
  private static final String NAME = "weights";
  private static final int LANES = 32;
  private static final int DEPTH = BoxTile.SHAPE.depth();

  private final PtxWriter k;
  private final BoxTile tile;
  private final List<Register> registers = new ArrayList<>();

  BoxWeights(PtxWriter k, BoxTile tile) {
    this.k = k;
    this.tile = tile;
  }

  /** Declares the table from which lanes load them. */
  void declare() {
    List<Double> table = new ArrayList<>();
    for (int phase = 0; phase < tile.pairs(); phase++) {
      for (int product = 0; product < tile.products(); product++) {
        for (int lane = 0; lane < LANES; lane++) {
          table.add(weight(phase, product, lane));
        }
      }
    }
    k.declare(
        ".const .align 16 .f64 %s[%d] = {%s}"
            .formatted(
                NAME,
                table.size(),
                table.stream()
                    .map(weight -> Literal.f64(weight).text())
                    .collect(Collectors.joining(", "))));
  }

  /** Returns what a lane has of a right matrix, for pairs of rows that arrive in a phase. */
  private double weight(int phase, int product, int lane) {
    int cell = product * DEPTH + lane % DEPTH;
    int result = lane / DEPTH;
    int row =
        phase * BoxTile.PLACE_ROWS + cell / tile.placeCells() - result / BoxTile.PLACE_COLUMNS;
    int column = cell % tile.placeCells() - result % BoxTile.PLACE_COLUMNS;
    return tile.box().weight(row, column);
  }

  /**
   * Loads them into shared memory, and on into registers. Compilers would load what comes from
   * constants again for each use, one lane after the other.
   *
   * @param place where there is room in shared memory
   */
  void load(Register lane, Register warp, Register place) {
    Register at = k.b64("mov.u64", new Symbol(NAME));
    k.put("mad.wide.u32", at, lane, Double.BYTES, at);
    Register shared = k.b32("mad.lo.u32", lane, Double.BYTES, place);
    k.where(
        k.test("setp.eq.s32", warp, 0),
        "weighted",
        () -> {
          for (int matrix = 0; matrix < tile.matrices(); matrix++) {
            Register weight = k.make(PtxType.F64, "ld.const.f64", Address.at(at, bytes(matrix)));
            k.put("st.shared.f64", Address.at(shared, bytes(matrix)), weight);
          }
        });
    k.put("bar.sync", 0);
    for (int matrix = 0; matrix < tile.matrices(); matrix++) {
      registers.add(k.make(PtxType.F64, "ld.shared.f64", Address.at(shared, bytes(matrix))));
    }
  }

  private static int bytes(int matrices) {
    return matrices * LANES * Double.BYTES;
  }

  /**
   * Returns what this lane has of a right matrix.
   *
   * @param phase the pairs of rows of the sum that arrived before
   */
  Register of(int phase, int product) {
    return registers.get(phase * tile.products() + product);
  }
}
