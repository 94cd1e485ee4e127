/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.codec;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.files.CellMeaning;
import io.sparkstencil.spark.files.DenseCells;
import java.util.function.Supplier;

/**
 * What cells are read as.
 *
 * @param type F32 or F64
 * @param meaning what stored numbers stand for
 * @param fill returns the value of cells that are not stored, or fails if they cannot have it
 */
public record ReadAs(ElementType type, CellMeaning meaning, Supplier<Number> fill) {
  /** Returns a new array of cells that are not stored. */
  public Object filled(int cells) {
    return DenseCells.filled(type, cells, fill.get());
  }
}
