/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.KernelKey;
import io.sparkstencil.kernels.variant.MatrixShape;
import java.util.ArrayList;
import java.util.List;

/**
 * A kernel that multiplies matrices of doubles on tensor cores, a pair of them in each block of one
 * warp, and adds what is given. {@link KernelParameter#INPUT} has for each block the rows of the
 * left matrix, the columns of the right one, and the rows of what is added; {@link
 * KernelParameter#OUTPUT} gets the rows of the result.
 *
 * @param shape the matrices of one instruction
 */
public record MatrixTrialKernel(MatrixShape shape) implements KernelKey {
  /** Products that are added to each result, by several instructions in turn. */
  public static final int PRODUCTS = 24;

  private static final int WARP = 32;
  private static final int CELL_BYTES = Double.BYTES;

  /** Results of a row that a lane holds. */
  private static final int HELD = 2;

  @Override
  public String entryName() {
    return "matrix_trial_" + shape.label();
  }

  /** Returns the cells of the left matrix. */
  public int leftCells() {
    return shape.rows() * PRODUCTS;
  }

  /** Returns the cells of the right matrix. */
  public int rightCells() {
    return MatrixShape.COLUMNS * PRODUCTS;
  }

  /** Returns the results of a block. */
  public int results() {
    return shape.rows() * MatrixShape.COLUMNS;
  }

  /** Returns the cells that a block reads. */
  public int inputs() {
    return leftCells() + rightCells() + results();
  }

  /** Returns the text. */
  public GeneratedKernel generate() {
    KernelWriter k = new KernelWriter(List.of(KernelParameter.INPUT, KernelParameter.OUTPUT));
    Register lane = k.b32("mov.u32", Symbol.TID_X);
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    Register row = k.b32("shr.u32", lane, 2);
    Register column = k.b32("and.b32", lane, MatrixShape.PART - 1);
    Register input = k.b32("mul.lo.u32", block, inputs());
    Register inLine = k.b32("mad.lo.u32", row, PRODUCTS, column);
    Register inResults = k.b32("mul.lo.u32", row, MatrixShape.COLUMNS);
    k.put("mad.lo.u32", inResults, column, HELD, inResults);
    Register lines = k.global(KernelParameter.INPUT, k.b32("add.u32", input, inLine), CELL_BYTES);
    Register added =
        k.global(KernelParameter.INPUT, k.b32("add.u32", input, inResults), CELL_BYTES);
    Register output = k.b32("mad.lo.u32", block, results(), inResults);
    Register to = k.global(KernelParameter.OUTPUT, output, CELL_BYTES);
    int halves = shape.rows() / MatrixShape.COLUMNS;
    List<Register> sums = new ArrayList<>();
    for (int cell = 0; cell < HELD * halves; cell++) {
      int before = leftCells() + rightCells() + place(cell);
      sums.add(k.make(PtxType.F64, "ld.global.f64", at(added, before * CELL_BYTES)));
    }
    for (int product = 0; product < PRODUCTS; product += shape.depth()) {
      List<Register> left = new ArrayList<>();
      List<Register> right = new ArrayList<>();
      for (int part = product; part < product + shape.depth(); part += MatrixShape.PART) {
        for (int half = 0; half < halves; half++) {
          int before = half * MatrixShape.COLUMNS * PRODUCTS + part;
          left.add(k.make(PtxType.F64, "ld.global.f64", at(lines, before * CELL_BYTES)));
        }
        int before = leftCells() + part;
        right.add(k.make(PtxType.F64, "ld.global.f64", at(lines, before * CELL_BYTES)));
      }
      RegisterVector sum = new RegisterVector(sums);
      k.put(shape.instruction(), sum, new RegisterVector(left), new RegisterVector(right), sum);
    }
    for (int cell = 0; cell < sums.size(); cell++) {
      k.put("st.global.f64", at(to, place(cell) * CELL_BYTES), sums.get(cell));
    }
    k.put("ret");
    List<String> directives = List.of(".maxntid %d, 1, 1".formatted(WARP));
    String text = k.finish(shape.target(), entryName(), directives);
    List<KernelParameter> parameters = List.of(KernelParameter.INPUT, KernelParameter.OUTPUT);
    return new GeneratedKernel(entryName(), text, WARP, results(), 0, 0, parameters, null);
  }

  /** Returns where a result of a lane is, from its first one on: its rows are 8 apart. */
  private static int place(int cell) {
    return cell / HELD * MatrixShape.COLUMNS * MatrixShape.COLUMNS + cell % HELD;
  }
}
