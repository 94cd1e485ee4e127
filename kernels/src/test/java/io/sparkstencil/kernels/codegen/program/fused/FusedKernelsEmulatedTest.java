/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.ExhaustiveRun;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kernels of several steps alone, on an emulated device, against the scalar reference: on arrays of
 * several tiles and segments. In an {@link ExhaustiveRun} all shapes that are tried on a device.
 */
final class FusedKernelsEmulatedTest {
  /** Fewer than devices have, so that small arrays are divided in segments, too. */
  private static final int MULTIPROCESSORS = 2;

  private static final int WARP = 32;

  private static Stream<FusedCase> cases() {
    List<FusedCase> all =
        Stream.of(1, 2, 3).flatMap(dimensions -> FusedCase.of(dimensions).stream()).toList();
    if (ExhaustiveRun.isAsked()) {
      return ExhaustiveRun.partOf(all).stream();
    }
    // each program has four, of both types and accuracies: one of those that differ in both
    return IntStream.range(0, all.size() / 4).mapToObj(p -> all.get(4 * p + 3 * (p % 2)));
  }

  /** Returns the kernel that is chosen first, and one whose warps hand rows on. */
  private static List<FusedKernel> kernels(FusedCase what) {
    List<FusedKernel> all = FusedKernelsGpuTest.kernels(what);
    if (ExhaustiveRun.isAsked()) {
      return all;
    }
    Stream<FusedKernel> relays =
        what.program().dimensions() == 2
            ? all.stream().skip(1).filter(kernel -> kernel.generate().threadsPerBlock() > WARP)
            : Stream.of();
    return Stream.concat(all.stream().limit(1), relays.limit(1)).toList();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void equalsTheReference(FusedCase what) {
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    List<String> faults = new ArrayList<>();
    try (PrimaryContext context = gpu.driver().open(0)) {
      FusedCheck check = new FusedCheck(context, MULTIPROCESSORS);
      for (FusedKernel kernel : kernels(what)) {
        List<Integer> sizes = FusedKernelsGpuTest.sizes(what, kernel).get(1);
        check.fault(what, kernel, sizes).ifPresent(faults::add);
      }
    }
    assertThat(faults).isEmpty();
  }
}
