/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.variant.KernelKey;
import io.sparkstencil.model.ElementType;
import java.util.Objects;
import java.util.function.Supplier;

/** A kernel of a program: equal digests, types and parts have equal texts. */
final class ProgramKernelKey implements KernelKey {
  private final String digest;
  private final ElementType type;
  private final String part;
  private final Supplier<GeneratedKernel> text;

  /**
   * Creates a key.
   *
   * @param digest that of the program
   * @param part which kernel of the program it is
   * @param text writes the kernel
   */
  ProgramKernelKey(String digest, ElementType type, String part, Supplier<GeneratedKernel> text) {
    this.digest = digest;
    this.type = type;
    this.part = part;
    this.text = text;
  }

  /** Writes the kernel of a key of this class. */
  static GeneratedKernel generate(KernelKey key) {
    return ((ProgramKernelKey) key).text.get();
  }

  @Override
  public String entryName() {
    return part;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ProgramKernelKey key
        && digest.equals(key.digest)
        && type == key.type
        && part.equals(key.part);
  }

  @Override
  public int hashCode() {
    return Objects.hash(digest, type, part);
  }
}
