/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.model.Stencil;
import java.io.Serializable;

/**
 * One stencil over one column of a query.
 *
 * @param column index among the value columns that the query reads
 * @param kind the type of that column
 * @param stencil what is computed
 */
public record StencilCall(int column, CellKind kind, Stencil stencil) implements Serializable {
  /** Checks the components. */
  public StencilCall {
    requireNonNull(kind, "kind is null");
    requireNonNull(stencil, "stencil is null");
  }
}
