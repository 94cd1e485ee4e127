/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.model.ElementType;
import java.util.List;

/**
 * What a measured kernel of a program holds for.
 *
 * @param program the digest of the program, which tells its constants and boundaries, too
 * @param type the type of the cells
 * @param sizes the cells along each axis, slowest first
 */
public record TunedFields(String program, ElementType type, List<Integer> sizes) {
  /** Checks the components and copies the sizes. */
  public TunedFields {
    requireNonNull(program, "program is null");
    requireNonNull(type, "type is null");
    sizes = List.copyOf(sizes);
    if (sizes.isEmpty() || sizes.stream().anyMatch(size -> size < 1)) {
      throw new IllegalArgumentException(
          "sizes are %s; give at least 1 for each axis".formatted(sizes));
    }
  }
}
