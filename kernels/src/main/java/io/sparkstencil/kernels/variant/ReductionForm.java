/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import java.util.Optional;

/** In which order the taps of an output come together. */
public enum ReductionForm {
  /** Each output on its own, left to right, in straight-line code. */
  SEQUENTIAL("seq"),
  /** Each output on its own, left to right, in a loop over the taps: any width. */
  SEQUENTIAL_LOOP("loop"),
  /**
   * The outputs of a thread share the reduction of the cells that all their frames contain; that
   * core is made of the totals of neighbouring threads. Only where order cannot matter or accuracy
   * is fast.
   */
  SHARED_CORE("core"),
  /** The same with one core per block, in a loop: frames wider than a block's outputs. */
  BLOCK_CORE("blockcore"),
  /**
   * Each output on its own, left to right, by the multiply-add units for small matrices: weighted
   * sums of F64 whose products are fused with sums. sm_90 on.
   */
  TENSOR_CORE("mma", MatrixShape.SIXTEEN_ROWS),
  /** The same by matrices of twice the products. */
  TENSOR_CORE_DEEP("mmadeep", MatrixShape.SIXTEEN_ROWS_DEEP),
  /** The same by matrices that sm_80 has, too. */
  TENSOR_CORE_EIGHT_ROWS("mma8", MatrixShape.EIGHT_ROWS);

  private final String label;
  private final MatrixShape matrices; // or null

  ReductionForm(String label) {
    this(label, null);
  }

  ReductionForm(String label, MatrixShape matrices) {
    this.label = label;
    this.matrices = matrices;
  }

  /** Returns the form by matrices of a shape. */
  static ReductionForm by(MatrixShape matrices) {
    return switch (matrices) {
      case EIGHT_ROWS -> TENSOR_CORE_EIGHT_ROWS;
      case SIXTEEN_ROWS -> TENSOR_CORE;
      case SIXTEEN_ROWS_DEEP -> TENSOR_CORE_DEEP;
    };
  }

  /** Returns the matrices that tensor cores multiply, or empty if they take no part. */
  public Optional<MatrixShape> matrices() {
    return Optional.ofNullable(matrices);
  }

  /** Returns the short name that entry names use. */
  public String label() {
    return label;
  }
}
