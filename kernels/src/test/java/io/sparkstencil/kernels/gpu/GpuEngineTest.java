/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.cuda.BufferPool;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Completion;
import io.sparkstencil.engine.DeviceTimes;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.reference.ReferenceEngine;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import jcuda.driver.CUresult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine and its lanes over a device made of host memory. */
class GpuEngineTest {
  private static final StencilSpec MEAN =
      new StencilSpec(Stencil.mean(Frame.radius(2)), ElementType.F32);

  private static final int RESULTS = 5;

  private final FakeGpu gpu = new FakeGpu();
  private final CudaDriver driver = gpu.driver();
  private final GpuEngine engine =
      GpuEngine.open(
          driver,
          driver.devices().get(0),
          Map.of(GpuOptions.PINNED_BYTES.key(), "1000000", GpuOptions.WAIT.key(), "50"),
          new FakeKernels(gpu));

  @AfterEach
  void nothingIsLeft() {
    assertThat(engine.pinned.usage().leases()).isZero();
    assertThat(engine.memory.usage().leases()).isZero();
    engine.close();
    engine.close();
    assertThat(driver.liveHandles()).isEmpty();
  }

  @Test
  void arraysInDeviceMemoryGiveTheResultsOfTheReference() {
    new DeviceArraysCheck(engine).run();
  }

  private static List<Segment<Integer>> series(long seed, int count, int cells, boolean nulls) {
    Random random = new Random(seed);
    List<Segment<Integer>> segments = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      float[] values = new float[random.nextInt(cells)];
      byte[] validity = nulls && s % 2 == 0 ? new byte[values.length] : null;
      for (int i = 0; i < values.length; i++) {
        values[i] = random.nextFloat() - 0.5f;
        if (validity != null) {
          validity[i] = (byte) (random.nextInt(4) == 0 ? 0 : 1);
        }
      }
      segments.add(new Segment<>(s, values, validity, 0, values.length, null, null, RESULTS));
    }
    return segments;
  }

  private static List<float[]> run(
      StencilEngine engine, List<StencilSpec> specs, List<Segment<Integer>> input, int batch) {
    List<float[]> results = new ArrayList<>();
    try (PartitionPipeline<Segment<Integer>, ?, Segment<Integer>> pipeline =
        PartitionPipeline.ofSegments(engine, specs, batch)) {
      var done = pipeline.run(input.iterator());
      while (done.hasNext()) {
        Segment<Integer> segment = done.next();
        for (int k = 0; k < specs.size(); k++) {
          float[] cells = (float[]) segment.result(k, ElementType.F32);
          byte[] validity = segment.resultValidity(k);
          for (int i = 0; validity != null && i < cells.length; i++) {
            cells[i] = validity[i] == 0 ? Float.NEGATIVE_INFINITY : cells[i];
          }
          results.add(cells);
        }
      }
    }
    return results;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void severalStencilsShareABatchAndAgreeWithTheReference(boolean nulls) {
    for (Boundary boundary : List.of(Boundary.SHRINK, Boundary.VALID, Boundary.MIRROR)) {
      List<StencilSpec> specs = new ArrayList<>();
      for (Stencil stencil :
          List.of(
              Stencil.mean(Frame.radius(3)),
              Stencil.sum(Frame.precedingFollowing(2, 0)),
              Stencil.min(Frame.offsets(1, 4)),
              Stencil.count(Frame.radius(1)),
              Stencil.weighted(Frame.precedingFollowing(3, 1), 0.5, -1, 0.25, 2, 1))) {
        specs.add(new StencilSpec(stencil.withBoundary(boundary), ElementType.F32));
      }
      List<float[]> expected = run(new ReferenceEngine(), specs, series(7, 40, 300, nulls), 4096);
      List<float[]> actual = run(engine, specs, series(7, 40, 300, nulls), 1000);
      assertThat(actual).hasSameSizeAs(expected);
      for (int i = 0; i < expected.size(); i++) {
        assertThat(actual.get(i)).as("result %d under %s", i, boundary).isEqualTo(expected.get(i));
      }
    }
  }

  @Test
  void kernelsAreCompiledOnceForAllThreads() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<List<float[]>>> runs = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      runs.add(threads.submit(() -> run(engine, List.of(MEAN), series(3, 20, 200, false), 2000)));
    }
    List<float[]> expected =
        run(new ReferenceEngine(), List.of(MEAN), series(3, 20, 200, false), 1 << 20);
    for (Future<List<float[]>> each : runs) {
      assertThat(each.get(60, TimeUnit.SECONDS)).usingRecursiveComparison().isEqualTo(expected);
    }
    threads.shutdown();
    assertThat(gpu.calls("moduleLoad")).isEqualTo(2); // all positions, and edges
    assertThat(engine.kernels().size()).isEqualTo(2);
  }

  @Test
  void aRefusedVariantGivesWayToTheNext() {
    gpu.fail("moduleLoad", CUresult.CUDA_ERROR_INVALID_PTX);
    assertThatThrownBy(() -> engine.compile(MEAN))
        .isInstanceOf(KernelCompilationException.class)
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    assertThat(gpu.calls("moduleLoad")).isEqualTo(2);
    gpu.fail("moduleLoad", CUresult.CUDA_SUCCESS);
    assertThat(engine.compile(MEAN).description()).startsWith("stencil_mean_w5_f32_exact");
  }

  @Test
  void manyStencilsOneAfterTheOtherKeepFewKernelsLoaded() {
    int stencils = 2 * KernelCache.MOST_LOADED;
    for (int width = 1; width <= stencils; width++) {
      StencilSpec spec =
          new StencilSpec(Stencil.sum(Frame.precedingFollowing(width - 1, 0)), ElementType.F32);
      Segment<Integer> longer = // than any frame, so that none is cut
          new Segment<>(0, new float[stencils], null, 0, stencils, null, null, RESULTS);
      run(engine, List.of(spec), List.of(longer), 2000);
    }
    assertThat(gpu.calls("moduleLoad")).isEqualTo(stencils);
    assertThat(driver.liveHandles())
        .filteredOn(name -> name.startsWith("KernelFunction#"))
        .hasSize(KernelCache.MOST_LOADED);
  }

  @Test
  void exhaustedPinnedMemoryIsReportedAndNothingIsKept() {
    try (GpuLane lane = engine.openLane()) {
      assertThatThrownBy(() -> lane.lease(ElementType.F64, 200_000, false))
          .isInstanceOf(DeviceOutOfMemoryException.class);
      lane.lease(ElementType.F32, 120_000, true);
      assertThatThrownBy(() -> lane.lease(ElementType.F32, 120_000, true))
          .isInstanceOf(DeviceOutOfMemoryException.class);
    }
  }

  private Completion submitOnce(GpuLane lane, CompiledStencil stencil) {
    return submitOnce(lane, stencil, 100);
  }

  private Completion submitOnce(GpuLane lane, CompiledStencil stencil, int cells) {
    StagingLayout layout = new StagingLayout(2, 2);
    layout.add(cells, 2, 2);
    CellBuffer in = lane.lease(ElementType.F32, cells + 4, false);
    CellBuffer out = lane.lease(ElementType.F32, cells + 4, false);
    in.fill(0, cells + 4, 1);
    return lane.submit(new StagedBatch(layout, in, false), List.of(stencil), List.of(out));
  }

  @ParameterizedTest
  @ValueSource(strings = {"memcpyHtoDAsync", "launchKernel", "memcpyDtoHAsync", "eventQuery"})
  void aLostDeviceFailsTheTaskAndLeaksNothing(String call) {
    CompiledStencil stencil = engine.compile(MEAN);
    try (GpuLane lane = engine.openLane()) {
      gpu.fail(call, CUresult.CUDA_ERROR_ILLEGAL_ADDRESS);
      assertThatThrownBy(() -> submitOnce(lane, stencil).await())
          .isInstanceOf(DeviceLostException.class)
          .hasMessageContaining("CUDA_ERROR_ILLEGAL_ADDRESS");
    }
    assertThatThrownBy(engine::openLane).isInstanceOf(DeviceLostException.class);
  }

  @Test
  void exhaustedDeviceMemoryLeavesTheLaneUsable() {
    CompiledStencil stencil = engine.compile(MEAN);
    try (GpuLane lane = engine.openLane()) {
      gpu.fail("memAlloc", CUresult.CUDA_ERROR_OUT_OF_MEMORY);
      assertThatThrownBy(() -> submitOnce(lane, stencil))
          .isInstanceOf(DeviceOutOfMemoryException.class);
      gpu.fail("memAlloc", CUresult.CUDA_SUCCESS);
      submitOnce(lane, stencil).await();
    }
  }

  @Test
  void aBatchThatFailsHalfWayIsReportedOnceItsBuffersAreFree() throws Exception {
    CompiledStencil stencil = engine.compile(MEAN);
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (GpuLane lane = engine.openLane()) {
      submitOnce(lane, stencil).await();
      int launches = gpu.calls("launchKernel");
      gpu.fail("launchKernel", CUresult.CUDA_ERROR_INVALID_VALUE);
      CountDownLatch gate = gpu.holdEvents();
      Future<Completion> failing = other.submit(() -> submitOnce(lane, stencil));
      while (gpu.calls("launchKernel") == launches) {
        Thread.onSpinWait();
      }
      boolean early = isDoneWithin(failing, 200);
      gate.countDown();
      assertThat(early).isFalse();
      assertThatThrownBy(() -> failing.get(5, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StencilException.class)
          .hasMessageContaining("cuLaunchKernel");
      gpu.fail("launchKernel", CUresult.CUDA_SUCCESS);
      submitOnce(lane, stencil).await();
    } finally {
      other.shutdownNow();
    }
  }

  private static boolean isDoneWithin(Future<?> work, long millis) throws InterruptedException {
    try {
      work.get(millis, TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException e) {
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  @Test
  void aLaneThatIsClosedEarlyGivesEverythingBack() {
    CompiledStencil stencil = engine.compile(MEAN);
    GpuLane lane = engine.openLane();
    submitOnce(lane, stencil);
    lane.close();
    lane.close();
    assertThatThrownBy(() -> lane.lease(ElementType.F32, 1, false))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void buffersOfAnotherLaneAreRefused() {
    CompiledStencil stencil = engine.compile(MEAN);
    try (GpuLane lane = engine.openLane();
        GpuLane other = engine.openLane()) {
      StagingLayout layout = new StagingLayout(2, 2);
      layout.add(10, 0, 0);
      CellBuffer in = other.lease(ElementType.F32, 14, false);
      CellBuffer out = lane.lease(ElementType.F32, 14, false);
      assertThatThrownBy(
              () -> lane.submit(new StagedBatch(layout, in, false), List.of(stencil), List.of(out)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not lent by this lane");
      CellBuffer ours = lane.lease(ElementType.F32, 14, false);
      CellBuffer small = lane.lease(ElementType.F32, 13, false);
      assertThatThrownBy(
              () ->
                  lane.submit(
                      new StagedBatch(layout, ours, false), List.of(stencil), List.of(small)))
          .hasMessageContaining("cannot take 14 F32 cells");
    }
  }

  @Test
  void aBatchOfEmptyPiecesIsDoneAtOnce() {
    CompiledStencil stencil = engine.compile(MEAN);
    try (GpuLane lane = engine.openLane()) {
      StagingLayout layout = new StagingLayout(2, 2);
      layout.add(0, 2, 2);
      CellBuffer in = lane.lease(ElementType.F32, 8, false);
      CellBuffer out = lane.lease(ElementType.F32, 8, false);
      lane.submit(new StagedBatch(layout, in, false), List.of(stencil), List.of(out)).await();
      assertThat(gpu.calls("launchKernel")).isZero();
    }
  }

  @Test
  void laneTellsTheDevicesTime() {
    CompiledStencil stencil = engine.compile(MEAN);
    GpuLane lane = engine.openLane();
    submitOnce(lane, stencil).await();
    submitOnce(lane, stencil).await();
    lane.close();
    // The fake device takes 1 ms between any two events.
    assertThat(lane.deviceTimes()).isEqualTo(new DeviceTimes(2_000_000, 2_000_000, 2_000_000));
  }

  @Test
  void laneTellsTheMostDeviceMemoryThatItHasHad() {
    CompiledStencil stencil = engine.compile(MEAN);
    GpuLane lane = engine.openLane();
    assertThat(lane.deviceBytes()).isZero();
    submitOnce(lane, stencil).await();
    long ofSlot = lane.deviceBytes();
    assertThat(ofSlot).isEqualTo(BufferPool.largestWithin(ofSlot)).isGreaterThan(2 * 4 * 104);
    submitOnce(lane, stencil).await();
    assertThat(lane.deviceBytes()).isEqualTo(2 * ofSlot);
    submitOnce(lane, stencil, 100_000).await();
    long most = lane.deviceBytes();
    assertThat(most).isBetween(ofSlot + 2 * 4 * 100_004, ofSlot + 3 * 4 * 100_004);
    submitOnce(lane, stencil).await();
    submitOnce(lane, stencil).await();
    lane.close();
    assertThat(lane.deviceBytes()).isEqualTo(most);
  }
}
