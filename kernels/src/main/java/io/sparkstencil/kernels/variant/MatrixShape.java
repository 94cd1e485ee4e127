/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import io.sparkstencil.kernels.ptx.PtxTarget;
import java.util.List;

/** Products of small matrices of doubles that tensor cores add to others in one instruction. */
public enum MatrixShape {
  /** 8 rows: A100 on. */
  EIGHT_ROWS(8, 4, PtxTarget.AMPERE),
  /** 16 rows: H100 on, which takes the shape of 8 rows at half the rate. */
  SIXTEEN_ROWS(16, 4, PtxTarget.HOPPER),
  /** 16 rows, and twice the products of the others: H100 on. */
  SIXTEEN_ROWS_DEEP(16, 8, PtxTarget.HOPPER);

  /** Columns of the right matrix and of the result. */
  public static final int COLUMNS = 8;

  /** Columns of the left matrix, and rows of the right one, of which a lane has one. */
  public static final int PART = 4;

  private final int rows;
  private final int depth;

  @SuppressWarnings("ImmutableEnumChecker") // a record of two numbers
  private final PtxTarget target;

  MatrixShape(int rows, int depth, PtxTarget target) {
    this.rows = rows;
    this.depth = depth;
    this.target = target;
  }

  /** Returns the shapes that a device multiplies at its full rate; none if it has no such units. */
  public static List<MatrixShape> of(int computeCapability) {
    if (computeCapability >= SIXTEEN_ROWS.target.architecture()) {
      return List.of(SIXTEEN_ROWS, SIXTEEN_ROWS_DEEP);
    }
    return computeCapability >= EIGHT_ROWS.target.architecture() ? List.of(EIGHT_ROWS) : List.of();
  }

  /** Returns the rows of the left matrix and of the result. */
  public int rows() {
    return rows;
  }

  /**
   * Returns the columns of the left matrix, and rows of the right one: products that are added up.
   */
  public int depth() {
    return depth;
  }

  /**
   * Returns the products of an output of a weighted sum, those of zeros beside its frame included:
   * whole instructions, whose columns are outputs that are one cell apart.
   */
  public int products(FlatStencil what) {
    int taps = what.skewCells() % what.cellsPerVector() + what.width() + COLUMNS - 1;
    return (taps + depth - 1) / depth * depth;
  }

  /** Returns the lowest target that has the instruction. */
  public PtxTarget target() {
    return target;
  }

  /** Returns the name in PTX and in entry names. */
  public String label() {
    return "m%dn%dk%d".formatted(rows, COLUMNS, depth);
  }

  /** Returns the instruction: result, left matrix, right matrix, what the products are added to. */
  public String instruction() {
    return "mma.sync.aligned.%s.row.col.f64.f64.f64.f64".formatted(label());
  }
}
