/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.kernels.ptx.PtxTarget;
import java.util.Arrays;

/**
 * One way of running a stencil on one kind of device. A value: cache key, log text, entry name,
 * golden-file name and benchmark parameter. All that changes the code is in it; all that does not
 * is a launch argument.
 *
 * @param what the computation
 * @param how the schedule
 */
public record KernelVariant(FlatStencil what, KernelSchedule how) implements KernelKey {
  /** Checks the components. */
  public KernelVariant {
    requireNonNull(what, "what is null");
    requireNonNull(how, "how is null");
  }

  /** Returns the lowest target that the schedule needs. */
  public PtxTarget where() {
    PtxTarget staged =
        switch (how.staging()) {
          case SHARED_MEMORY_BULK -> PtxTarget.HOPPER;
          case SHARED_MEMORY_ASYNC ->
              how.persistingMebibytes() == 0 ? PtxTarget.AMPERE : PtxTarget.AMPERE_POLICIES;
          default -> PtxTarget.VOLTA;
        };
    return how.form()
        .matrices()
        .map(MatrixShape::target)
        .filter(target -> target.architecture() > staged.architecture())
        .orElse(staged);
  }

  /**
   * Returns the name of the kernel in its module, a PTX identifier: readable parts, then the {@link
   * #digest}.
   */
  @Override
  public String entryName() {
    return "stencil_" + what.label() + "_" + how.label() + "_" + digest();
  }

  /** Returns eight hexadecimal digits of everything, weights included; not unique by itself. */
  public String digest() {
    long hash = Arrays.hashCode(what.weights().toArray());
    hash = 31 * hash + what.label().hashCode();
    hash = 31 * hash + how.label().hashCode();
    hash = 31 * hash + where().toString().hashCode();
    // Spread: nearby variants should not share leading digits.
    hash *= 0x9E3779B97F4A7C15L;
    return "%08x".formatted((int) (hash >>> 32));
  }

  @Override
  public String toString() {
    return entryName() + "_" + where().targetName();
  }
}
