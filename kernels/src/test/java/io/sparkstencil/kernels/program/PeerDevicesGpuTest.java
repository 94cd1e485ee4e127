/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.testkit.LeakCheck;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks on two GPUs of one process, which read each other's cells, have the bits of the heap. */
@RequiresGpu
@Timeout(120)
final class PeerDevicesGpuTest {
  @RegisterExtension
  final LeakCheck leaks =
      new LeakCheck().watch("handles", () -> CudaDriver.get().liveHandles().size());

  @ParameterizedTest
  @CsvSource({
    "1000003, 4",
    "1201x901, 6",
    "64x30000, 2",
    "90x130x110, 8",
    "16x24x2048, 4",
    "5x7x9, 3"
  })
  void blocksOnTwoDevicesHaveTheBitsOfTheHeap(String sizes, int blocks) {
    List<CudaDevice> devices = CudaDriver.get().devices();
    if (devices.size() < 2) {
      System.out.println("skipped: copies between GPUs need two, and there is " + devices);
    }
    assumeTrue(devices.size() >= 2, "two GPUs");
    FacePlan plan = FaceBlocks.plan(sizes, blocks);
    try (GpuPrograms first = open(devices.get(0));
        GpuPrograms second = open(devices.get(1))) {
      FaceBlocks.requireSameHalosOn(first, second, plan);
    }
  }

  private static GpuPrograms open(CudaDevice device) {
    GpuPrograms engine = GpuPrograms.open(CudaDriver.get(), device, Map.of(), ProgramChecks.ALWAYS);
    engine.device().poison();
    return engine;
  }
}
