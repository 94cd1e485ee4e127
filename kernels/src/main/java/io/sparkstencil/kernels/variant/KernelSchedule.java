/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

import static java.util.Objects.requireNonNull;

/**
 * How a kernel runs: the numbers of a variant, without anything of what it computes.
 *
 * @param staging where shared cells are kept
 * @param threadsPerBlock a multiple of 32 from 32 to 1024
 * @param cellsPerThread outputs per thread, 1 to 32
 * @param vectorBytes bytes of one global load or store: 16, or the bytes of a cell
 * @param coefficients where weights are
 * @param form in which order taps come together
 * @param hints what loads and stores tell the caches
 * @param registerBudget registers per thread that the code must fit into without spilling; written
 *     into the kernel as its limit
 * @param persistingMebibytes how much of the beginning of the cells loads ask the second-level
 *     cache to keep for later launches, in MiB; 0 for no such window
 */
public record KernelSchedule(
    StagingStrategy staging,
    int threadsPerBlock,
    int cellsPerThread,
    int vectorBytes,
    CoefficientPlacement coefficients,
    ReductionForm form,
    CacheHints hints,
    int registerBudget,
    int persistingMebibytes) {

  /** The most registers that a thread can have. */
  public static final int MAX_REGISTERS = 255;

  /** The most that a window can span: more than any device's second-level cache. */
  public static final int MAX_PERSISTING_MEBIBYTES = 1024;

  /** Checks the numbers. */
  public KernelSchedule {
    requireNonNull(staging, "staging is null");
    requireNonNull(coefficients, "coefficients is null");
    requireNonNull(form, "form is null");
    requireNonNull(hints, "hints is null");
    if (threadsPerBlock < 32 || threadsPerBlock > 1024 || threadsPerBlock % 32 != 0) {
      throw new IllegalArgumentException(
          "%d threads per block; use a multiple of 32 from 32 to 1024".formatted(threadsPerBlock));
    }
    if (cellsPerThread < 1 || cellsPerThread > 32) {
      throw new IllegalArgumentException(
          "%d cells per thread; use 1 to 32".formatted(cellsPerThread));
    }
    if (vectorBytes != 4 && vectorBytes != 8 && vectorBytes != 16) {
      throw new IllegalArgumentException(
          "vectors of %d bytes; use 16, or the bytes of a cell".formatted(vectorBytes));
    }
    if (registerBudget < 16 || registerBudget > MAX_REGISTERS) {
      throw new IllegalArgumentException(
          "%d registers per thread; use 16 to %d".formatted(registerBudget, MAX_REGISTERS));
    }
    if (persistingMebibytes < 0 || persistingMebibytes > MAX_PERSISTING_MEBIBYTES) {
      throw new IllegalArgumentException(
          "a window of %d MiB; use 0 to %d"
              .formatted(persistingMebibytes, MAX_PERSISTING_MEBIBYTES));
    }
  }

  /** Returns a schedule of straight-line code without a core, with nothing special to memory. */
  static KernelSchedule plain(
      StagingStrategy staging, int threads, int cellsPerThread, int vectorBytes, int registers) {
    return new KernelSchedule(
        staging,
        threads,
        cellsPerThread,
        vectorBytes,
        CoefficientPlacement.IMMEDIATE,
        ReductionForm.SEQUENTIAL,
        CacheHints.NONE,
        registers,
        0);
  }

  /** Returns the number of outputs that a block writes. */
  public int outputsPerBlock() {
    return threadsPerBlock * cellsPerThread;
  }

  /** Returns this schedule with other coefficients. */
  public KernelSchedule withCoefficients(CoefficientPlacement placement) {
    return with(staging, placement, hints, persistingMebibytes);
  }

  /** Returns this schedule with tiles filled in another way. */
  public KernelSchedule withStaging(StagingStrategy newStaging) {
    return with(newStaging, coefficients, hints, persistingMebibytes);
  }

  /** Returns this schedule with another window of the second-level cache. */
  public KernelSchedule withPersisting(int mebibytes) {
    return with(staging, coefficients, hints, mebibytes);
  }

  /** Returns this schedule with other cache hints. */
  public KernelSchedule withHints(CacheHints newHints) {
    return with(staging, coefficients, newHints, persistingMebibytes);
  }

  private KernelSchedule with(
      StagingStrategy newStaging,
      CoefficientPlacement placement,
      CacheHints newHints,
      int mebibytes) {
    return new KernelSchedule(
        newStaging,
        threadsPerBlock,
        cellsPerThread,
        vectorBytes,
        placement,
        form,
        newHints,
        registerBudget,
        mebibytes);
  }

  /**
   * Returns the schedule in the short form of entry names: {@code
   * smem_core_b128_c12_v16_imm_plain_r64}.
   */
  public String label() {
    return "%s_%s_b%d_c%d_v%d_%s_%s_r%d%s"
        .formatted(
            staging.label(),
            form.label(),
            threadsPerBlock,
            cellsPerThread,
            vectorBytes,
            coefficients.label(),
            hints.label(),
            registerBudget,
            persistingMebibytes == 0 ? "" : "_l2w" + persistingMebibytes);
  }
}
