/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import io.sparkstencil.kernels.ptx.PtxTarget;
import java.util.Optional;

/** Products of small matrices of doubles that tensor cores add to others in one instruction. */
public enum MatrixShape {
  /** 8 rows: A100 on. */
  EIGHT_ROWS(8, PtxTarget.AMPERE),
  /** 16 rows: H100 on, which takes the other shape at half the rate. */
  SIXTEEN_ROWS(16, PtxTarget.HOPPER);

  /** Columns of the right matrix and of the result. */
  public static final int COLUMNS = 8;

  /** Columns of the left matrix, and rows of the right one: products that are added up. */
  public static final int DEPTH = 4;

  private final int rows;

  @SuppressWarnings("ImmutableEnumChecker") // a record of two numbers
  private final PtxTarget target;

  MatrixShape(int rows, PtxTarget target) {
    this.rows = rows;
    this.target = target;
  }

  /** Returns the shape that suits a device best, or empty if it has none. */
  public static Optional<MatrixShape> of(int computeCapability) {
    if (computeCapability >= SIXTEEN_ROWS.target.architecture()) {
      return Optional.of(SIXTEEN_ROWS);
    }
    return computeCapability >= EIGHT_ROWS.target.architecture()
        ? Optional.of(EIGHT_ROWS)
        : Optional.empty();
  }

  /** Returns the rows of the left matrix and of the result. */
  public int rows() {
    return rows;
  }

  /** Returns the lowest target that has the instruction. */
  public PtxTarget target() {
    return target;
  }

  /** Returns the name in PTX and in entry names. */
  public String label() {
    return "m%dn%dk%d".formatted(rows, COLUMNS, DEPTH);
  }

  /** Returns the instruction: result, left matrix, right matrix, what the products are added to. */
  public String instruction() {
    return "mma.sync.aligned.%s.row.col.f64.f64.f64.f64".formatted(label());
  }
}
