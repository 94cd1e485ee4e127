/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import io.sparkstencil.testkit.EndedWork;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A batch of very many steps ends between launches, and its lane gives everything back. */
final class CancelledLaneTest {
  private static final StencilSpec SPEC =
      new StencilSpec(
          Stencil.mean(Frame.radius(2)).withBoundary(Boundary.NEAREST), ElementType.F32);

  @Test
  void stepsEndBetweenLaunches() throws InterruptedException {
    FakeGpu gpu = new FakeGpu();
    CudaDriver driver = gpu.driver();
    try (GpuEngine engine =
        GpuEngine.open(driver, driver.devices().get(0), Map.of(), new FakeKernels(gpu))) {
      try (Lane lane = engine.openLane();
          CloseScope buffers = new CloseScope()) {
        StagingLayout layout = StagingLayout.ofFrames(List.of(SPEC), Lane.STEP_ALIGNMENT_CELLS);
        layout.add(300, layout.left(), layout.right());
        int cells = layout.stagedCells();
        CellBuffer input = buffers.add(lane.lease(SPEC.type(), cells, false));
        CellBuffer output = buffers.add(lane.lease(SPEC.type(), cells, false));
        CellBuffer between = buffers.add(lane.lease(SPEC.type(), cells, false));
        input.fill(0, cells, 1);
        StagedBatch batch = new StagedBatch(layout, input, false);

        EndedWork.requireEndsSoon(
            "steps of a batch on a device",
            () ->
                lane.submitSteps(batch, engine.compile(SPEC), output, between, Integer.MAX_VALUE)
                    .await());

        lane.submitSteps(batch, engine.compile(SPEC), output, between, 3).await();
      }
      assertThat(engine.pinned.usage().leases()).isZero();
      assertThat(engine.memory.usage().leases()).isZero();
    }
    assertThat(driver.liveHandles()).isEmpty();
  }
}
