/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import io.sparkstencil.error.InvalidStencilException;
import java.io.Serializable;

/**
 * Values that are added to one cell, one after each step. A value is rounded to the type of the
 * cells, and then added.
 *
 * <pre>{@code
 * PointSource pulse = new PointSource("u", new long[] {50, 50}, new double[] {1, 0.5, 0.25});
 * }</pre>
 *
 * @param field the name of the field
 * @param cell the position of the cell, slowest axis first; not changed afterwards
 * @param series value {@code n} is added after step {@code n}, counted from 0; none after the last
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record PointSource(String field, long[] cell, double[] series) implements Serializable {
  /** Copies the arrays and checks that the values are finite. */
  public PointSource {
    cell = cell.clone();
    series = series.clone();
    for (double value : series) {
      if (!Double.isFinite(value)) {
        throw new InvalidStencilException(
            "a source of %s adds %s; use finite numbers".formatted(field, value));
      }
    }
  }
}
