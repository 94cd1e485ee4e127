/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid.watch;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a grid does if cells grow without bound or cease to be finite numbers, as they do if time
 * steps are too long. Cells that are NaN or infinite from the beginning stay as they are.
 *
 * <pre>{@code
 * GridBuilder goesOn = StencilGrids.builder(spark, program).diverging(Diverging.WARN);
 * }</pre>
 */
public enum Diverging {
  /** Fails with the field, the step and the position of the first such cell. */
  STOP,
  /** Goes on, and says it once for each field. */
  WARN,
  /** Goes on and does not look. */
  IGNORE;

  /** Returns the value of a name, in any case. */
  public static Optional<Diverging> named(String name) {
    return Arrays.stream(values())
        .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)))
        .findFirst();
  }
}
