/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.ptx;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The operand of a vector load or store, or of a matrix operation.
 *
 * @param registers 1, 2 or 4 registers of one type
 */
public record RegisterVector(List<Register> registers) implements Operand {
  /** Checks the number of registers. */
  public RegisterVector {
    registers = List.copyOf(registers);
    if (registers.size() != 1 && registers.size() != 2 && registers.size() != 4) {
      throw new IllegalArgumentException(
          "a vector of %d registers; PTX has 1, 2 and 4".formatted(registers.size()));
    }
  }

  @Override
  public String text() {
    return registers.stream().map(Register::text).collect(Collectors.joining(", ", "{", "}"));
  }
}
