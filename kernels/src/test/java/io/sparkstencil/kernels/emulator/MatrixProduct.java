/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.kernels.emulator.Slot.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code mma.sync.m8n8k4} and {@code m16n8k4} of F64: D = A B + C with 8 or 16 rows, 8 columns and
 * 4 products for each, added one after the other from C on, each product and sum rounded at once.
 * Lane l holds rows l / 4 and, if there are 16, l / 4 + 8 of A and column l / 4 of B at depth l %
 * 4, and of C and D these rows in columns 2 (l % 4) and the next.
 */
final class MatrixProduct extends PtxInstruction {
  private static final int DEPTH = 4;

  private final List<Slot> results;
  private final List<Slot> left;
  private final Slot right;
  private final List<Slot> sums;

  MatrixProduct(Statement statement, Slots slots, int rowsOfLane) {
    super(statement, slots);
    results = vector(statement, slots, 0, 2 * rowsOfLane);
    left = vector(statement, slots, 1, rowsOfLane);
    right = vector(statement, slots, 2, 1).get(0);
    sums = vector(statement, slots, 3, 2 * rowsOfLane);
  }

  private static List<Slot> vector(Statement statement, Slots slots, int operand, int registers) {
    List<String> names = Statement.vector(statement.operand(operand));
    if (names.size() != registers || !statement.operand(operand).startsWith("{")) {
      throw statement.fault("operand %d is no vector of %d".formatted(operand, registers));
    }
    return names.stream().map(name -> slots.read(Kind.WIDE, name)).toList();
  }

  @Override
  void run(Warp warp, int lanes) {
    if (lanes != warp.lanes().active()) {
      throw new EmulatorFault(
          "lanes %08x of %08x take part".formatted(lanes, warp.lanes().active()));
    }
    if (!warp.lanes().meet(Warp.ALL)) {
      return;
    }
    List<Slot> read = new ArrayList<>(sums);
    read.addAll(left);
    read.add(right);
    read.forEach(slot -> warp.requireDefined(slot.id(), Warp.ALL, slot.text()));
    double[][] made = new double[results.size()][Slot.LANES];
    for (int lane = 0; lane < Slot.LANES; lane++) {
      int row = lane / DEPTH;
      for (int i = 0; i < results.size(); i++) {
        int column = 2 * (lane % DEPTH) + i % 2;
        double sum = value(warp, sums.get(i), lane);
        for (int k = 0; k < DEPTH; k++) {
          double a = value(warp, left.get(i / 2), DEPTH * row + k);
          double b = value(warp, right, DEPTH * column + k);
          sum = Math.fma(a, b, sum);
        }
        made[i][lane] = sum;
      }
    }
    for (int i = 0; i < results.size(); i++) {
      for (int lane = 0; lane < Slot.LANES; lane++) {
        warp.wide[results.get(i).base() + lane] = Double.doubleToLongBits(made[i][lane]);
      }
      warp.setUndefined(results.get(i), 0, Warp.ALL);
    }
  }

  private static double value(Warp warp, Slot slot, int lane) {
    return Double.longBitsToDouble(warp.wide[slot.base() + lane]);
  }
}
