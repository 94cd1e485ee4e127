/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.rows.RowStreams;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Kernels whose warps share their instructions, each alone, with rules at random for each side of a
 * plane, against the scalar reference.
 */
final class SharedInstructions {
  /** Fewer than devices have, so that small arrays are divided in segments, too. */
  private static final int MULTIPROCESSORS = 2;

  /** Threads of a block whose warps have instructions of their own, at most. */
  private static final int OWN_INSTRUCTIONS = 64;

  private static final FusedKernel.Layout LARGE =
      new FusedKernel.Layout(List.of(16_384, 16_384), 16_384);

  private SharedInstructions() {}

  /** Returns the programs that have such kernels. */
  static Stream<FusedCase> cases() {
    return FusedCase.of(2).stream()
        .filter(what -> what.type() == ElementType.F64 && !kernels(what).isEmpty());
  }

  private static List<FusedKernel> kernels(FusedCase what) {
    return kernels(what, LARGE);
  }

  private static List<FusedKernel> kernels(FusedCase what, FusedKernel.Layout layout) {
    return RowStreams.fastestFirst(what.traits(), what.type(), layout, DeviceTraits.H200).stream()
        .filter(kernel -> kernel.generate().threadsPerBlock() > OWN_INSTRUCTIONS)
        .toList();
  }

  /**
   * Runs those with at most so many steps under several rules; returns what is wrong.
   *
   * @param rules how many, each for all kernels
   */
  static List<String> faults(PrimaryContext context, FusedCase what, int mostSteps, int rules) {
    Random random = new Random(what.name().hashCode());
    FusedCheck check = new FusedCheck(context, MULTIPROCESSORS);
    List<String> faults = new ArrayList<>();
    int done = 0;
    for (int turn = 0; turn < rules; turn++) {
      FusedCase ruled =
          new FusedCase(
              what.name(), HeldEndsEmulatedTest.withRules(what.program(), random), what.type());
      for (FusedKernel large : kernels(ruled)) {
        List<Integer> sizes = HeldEndsEmulatedTest.sizes(large, random);
        // rows of other sizes may need more registers at their ends than there are
        for (FusedKernel kernel : kernels(ruled, FusedCheck.layout(ruled.type(), sizes))) {
          if (kernel.steps() == large.steps() && kernel.steps() <= mostSteps) {
            check.fault(ruled, kernel, sizes).ifPresent(faults::add);
            done++;
          }
        }
      }
    }
    if (done == 0) {
      faults.add(what + ": no kernel was run");
    }
    return faults;
  }
}
