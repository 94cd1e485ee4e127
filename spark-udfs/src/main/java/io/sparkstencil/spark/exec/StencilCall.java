/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import java.io.Serializable;

/**
 * One stencil over one column of a query.
 *
 * @param column index among the value columns that the query reads
 * @param kind the type of that column
 * @param stencil what is computed
 * @param overflow what becomes of sums of bigint that overflow
 */
public record StencilCall(int column, CellKind kind, Stencil stencil, SumOverflow overflow)
    implements Serializable {
  /** Checks the components. */
  public StencilCall {
    requireNonNull(kind, "kind is null");
    requireNonNull(stencil, "stencil is null");
    requireNonNull(overflow, "overflow is null");
  }

  /** Returns the overflow rule that matters: sums of narrower integers cannot leave bigint. */
  SumOverflow effectiveOverflow() {
    return kind == CellKind.LONG && stencil.reduction() == Reduction.SUM
        ? overflow
        : SumOverflow.WRAP;
  }
}
