/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.emulator.EmulatorFault;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Faults that a device may hide, put into kernels that are right: the emulator reports each. */
final class SpoiltKernelsTest {
  /** A kernel with another text. */
  private record Spoilt(FusedKernel kernel, String line, String instead) implements FusedKernel {
    @Override
    public int steps() {
      return kernel.steps();
    }

    @Override
    public List<Integer> inputs() {
      return kernel.inputs();
    }

    @Override
    public List<Integer> outputs() {
      return kernel.outputs();
    }

    @Override
    public Optional<Span> results(Layout layout) {
      return kernel.results(layout);
    }

    @Override
    public Launch launch(Layout layout, Span results, int resident) {
      return kernel.launch(layout, results, resident);
    }

    @Override
    public GeneratedKernel generate() {
      GeneratedKernel right = kernel.generate();
      String ptx = right.ptx().replaceAll("(?m)^  " + line + "$", "  " + instead);
      assertThat(ptx).isNotEqualTo(right.ptx());
      return new GeneratedKernel(
          right.entryName(),
          ptx,
          right.threadsPerBlock(),
          right.outputsPerBlock(),
          right.staticSharedBytes(),
          right.dynamicSharedBytes(),
          right.parameters(),
          right.weights());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 | bar.warp.sync .*; | | without a barrier between
          1 | (@%p\\d+ st.global.*)\\+\\d+(].*;) | $1+1048576$2 | is outside
          1 | (shfl.sync.*), 4294967295; | $1, 65535; | not in its own mask
          2 | bar.sync 0; | | without a barrier between
          2 | cp.async.wait_group \\d+; | | still copying
          2 | cp.async.wait_group (\\d+); | cp.async.wait_group 7; | still copying
          2 | (.*cp.async.cg.*\\[%rd\\d+)(], 16;) | $1+4$2 | misaligned
          3 | bar.sync 0; | | not been written
          3 | cp.async.wait_group \\d+; | | still copying
          3 | (@%p\\d+) (st.global.*) | $2 | not been written
          """)
  void theFaultIsReported(int dimensions, String line, String instead, String message) {
    FusedCase what = FusedCase.of(dimensions).get(0);
    FusedKernel right =
        FusedKernelsGpuTest.kernels(what).stream()
            .filter(kernel -> dimensions != 2 || kernel.generate().threadsPerBlock() > 32)
            .findFirst()
            .orElseThrow();
    FusedKernel spoilt = new Spoilt(right, line, instead == null ? "" : instead);
    requireFault(what, spoilt, FusedKernelsGpuTest.sizes(what, right).get(1), message);
  }

  /**
   * Warps that compute while others arrive: without a wait, with an arrival before its rows, or
   * with a barrier object that is not there yet.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          @!%p\\d+ bra \\$wait.*; | | without a barrier between
          bar.warp.sync -1; | | without a barrier between
          @%p\\d+ mbarrier.arrive.*; | | not all threads
          bar.sync 0; | | uses shared word
          """)
  void theFaultOfABarrierObjectIsReported(String line, String instead, String message) {
    FusedCase what = FusedCase.of(3).get(3);
    FusedKernel right = HeldEndsEmulatedTest.overlapping(what);
    FusedKernel spoilt = new Spoilt(right, line, instead == null ? "" : instead);
    requireFault(what, spoilt, List.of(30, 90, 96), message);
  }

  private static void requireFault(
      FusedCase what, FusedKernel spoilt, List<Integer> sizes, String message) {
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    try (PrimaryContext context = gpu.driver().open(0)) {
      FusedCheck check = new FusedCheck(context, 2);
      assertThatThrownBy(() -> check.fault(what, spoilt, sizes))
          .isInstanceOf(EmulatorFault.class)
          .hasMessageContaining(message);
    }
  }
}
