/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import java.io.Serializable;

/** What is computed from a column of ordered rows: a reduction of frames, or a program. */
public sealed interface ColumnOperation extends Serializable permits FrameOperation, SeriesProgram {
  /** Returns the type of the cells that values of a kind become. */
  ElementType stagedFor(CellKind kind);

  /** Returns the kind of the results over values of a kind. */
  CellKind resultOf(CellKind kind);

  /** Returns the rule by which cells beside a part of a series are found. */
  Boundary beside();

  /** Tells whether a result may be null where no value is. */
  boolean nullable();

  /** Returns the name of a call, as plans show it. */
  String name();

  /**
   * Checks that the operation can be computed over values of a kind.
   *
   * @throws io.sparkstencil.error.InvalidStencilException if it cannot
   */
  void requireKind(CellKind kind);

  /** Tells whether cells outside a series come from its other end. */
  default boolean wraps() {
    return beside().mode() == Boundary.Mode.WRAP;
  }
}
