/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.kernels.emulator.Slot.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code mma.sync} of F64 with 8 rows and 4 products, or 16 rows and 4 or 8 products: D = A B + C,
 * the products of a result added one after the other from C on, each product and sum rounded at
 * once. Lane l holds rows l / 4 and, if there are 16, l / 4 + 8 of A and column l / 4 of B at depth
 * l % 4 and, if there are 8 products, l % 4 + 4; and of C and D these rows in columns 2 (l % 4) and
 * the next. The instruction is aligned: lanes have to come to it together.
 */
final class MatrixProduct extends PtxInstruction {
  /** Lanes that have a row of A, or a column of B. */
  private static final int LANES_OF_ROW = 4;

  private final int rows;
  private final int depth;
  private final List<Slot> results;
  private final List<Slot> left;
  private final List<Slot> right;
  private final List<Slot> sums;

  /**
   * Reads an instruction.
   *
   * @param rows of a lane
   * @param depth products of a result
   */
  MatrixProduct(Statement statement, Slots slots, int rows, int depth) {
    super(statement, slots);
    this.rows = rows;
    this.depth = depth;
    int parts = depth / LANES_OF_ROW;
    results = vector(statement, slots, 0, 2 * rows);
    left = vector(statement, slots, 1, rows * parts);
    right = vector(statement, slots, 2, parts);
    sums = vector(statement, slots, 3, 2 * rows);
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
    if (warp.lanes().parted()) {
      throw new EmulatorFault("lanes have parted, and no barrier has brought them together since");
    }
    if (!warp.lanes().meet(Warp.ALL)) {
      return;
    }
    List<Slot> read = new ArrayList<>(sums);
    read.addAll(left);
    read.addAll(right);
    read.forEach(slot -> warp.requireDefined(slot.id(), Warp.ALL, slot.text()));
    double[][] made = new double[results.size()][Slot.LANES];
    for (int lane = 0; lane < Slot.LANES; lane++) {
      int row = lane / LANES_OF_ROW;
      for (int i = 0; i < results.size(); i++) {
        int column = 2 * (lane % LANES_OF_ROW) + i % 2;
        double sum = value(warp, sums.get(i), lane);
        for (int k = 0; k < depth; k++) {
          int part = k / LANES_OF_ROW;
          int inPart = k % LANES_OF_ROW;
          double a = value(warp, left.get(rows * part + i / 2), LANES_OF_ROW * row + inPart);
          double b = value(warp, right.get(part), LANES_OF_ROW * column + inPart);
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
