/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.util.Locale;

/**
 * A stencil over the frames of a column.
 *
 * @param stencil what is computed
 * @param overflow what becomes of sums of bigint that overflow
 */
public record FrameOperation(Stencil stencil, SumOverflow overflow) implements ColumnOperation {
  /** Checks that there is a stencil. */
  public FrameOperation {
    requireNonNull(stencil, "stencil is null");
    requireNonNull(overflow, "overflow is null");
  }

  @Override
  public ElementType stagedFor(CellKind kind) {
    return kind.stagedFor(stencil.reduction());
  }

  @Override
  public CellKind resultOf(CellKind kind) {
    return kind.resultOf(stencil.reduction());
  }

  @Override
  public Boundary beside() {
    return stencil.boundary();
  }

  @Override
  public boolean nullable() {
    return stencil.reduction() != Reduction.COUNT || stencil.boundary().equals(Boundary.VALID);
  }

  @Override
  public String name() {
    return "stencil_" + stencil.reduction().name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void requireKind(CellKind kind) {
    spec(kind);
  }

  /** Returns what an engine runs over values of a kind. */
  StencilSpec spec(CellKind kind) {
    return new StencilSpec(stencil, stagedFor(kind));
  }

  /** Returns the overflow rule that matters: sums of narrower integers cannot leave bigint. */
  SumOverflow overflowOf(CellKind kind) {
    return kind == CellKind.LONG && stencil.reduction() == Reduction.SUM
        ? overflow
        : SumOverflow.WRAP;
  }

  @Override
  public String toString() {
    return "rows %+d..%+d, %s, %s"
        .formatted(
            -stencil.frame().preceding(),
            stencil.frame().following(),
            stencil.boundary(),
            stencil.accuracy().name().toLowerCase(Locale.ROOT));
  }
}
