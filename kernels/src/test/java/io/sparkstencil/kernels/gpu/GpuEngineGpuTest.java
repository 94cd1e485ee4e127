/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.kernels.tuning.TunedSchedule;
import io.sparkstencil.kernels.tuning.Tuner;
import io.sparkstencil.kernels.tuning.TuningStore;
import io.sparkstencil.kernels.variant.DeviceProfile;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.SearchSpace;
import io.sparkstencil.kernels.variant.TunedShape;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.reference.ReferenceEngine;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.testkit.RequiresGpu;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine on a real device: many tasks at once, cells on the device, measured schedules. */
@RequiresGpu
class GpuEngineGpuTest {
  private static final int TASKS = 16;
  private static final int ROUNDS = 12;

  private static final List<StencilSpec> SPECS =
      List.of(
          new StencilSpec(Stencil.mean(Frame.radius(8)), ElementType.F32),
          new StencilSpec(Stencil.max(Frame.precedingFollowing(20, 0)), ElementType.F32));

  private static List<float[]> run(StencilEngine engine, long seed, int batchBytes) {
    Random random = new Random(seed);
    List<Segment<Integer>> input = new ArrayList<>();
    for (int s = 0; s < 40; s++) {
      float[] cells = new float[random.nextInt(20_000)];
      for (int i = 0; i < cells.length; i++) {
        cells[i] = random.nextFloat();
      }
      input.add(Segment.series(s, cells, SPECS.size()));
    }
    List<float[]> results = new ArrayList<>();
    try (PartitionPipeline<Segment<Integer>, ?, Segment<Integer>> pipeline =
        PartitionPipeline.ofSegments(engine, SPECS, batchBytes)) {
      pipeline
          .run(input.iterator())
          .forEachRemaining(
              segment -> {
                results.add((float[]) segment.result(0, ElementType.F32));
                results.add((float[]) segment.result(1, ElementType.F32));
              });
    }
    return results;
  }

  /** About 16 x 12 x 50 batches of three kernels each. */
  @Test
  void manyTasksAtOnceGiveTheRightBitsAndLeakNothing() throws Exception {
    List<float[]> expected = run(new ReferenceEngine(), 5, 1 << 20);
    int liveBefore = CudaDriver.get().liveHandles().size();
    try (GpuEngine engine = (GpuEngine) new GpuEngineProvider().open(Map.of())) {
      run(engine, 5, 1 << 15);
      long freeBefore = engine.context().freeBytes();
      ExecutorService threads = Executors.newFixedThreadPool(TASKS);
      List<Future<?>> tasks = new ArrayList<>();
      for (int task = 0; task < TASKS; task++) {
        int batchBytes = (1 << 15) + 4096 * task;
        tasks.add(
            threads.submit(
                () -> {
                  for (int round = 0; round < ROUNDS; round++) {
                    List<float[]> actual = run(engine, 5, batchBytes);
                    for (int i = 0; i < actual.size(); i++) {
                      assertThat(actual.get(i)).isEqualTo(expected.get(i));
                    }
                  }
                }));
      }
      for (Future<?> task : tasks) {
        task.get(180, TimeUnit.SECONDS);
      }
      threads.shutdown();
      assertThat(engine.pinned.usage().leases() + engine.memory.usage().leases()).isZero();
      assertThat(engine.kernels().size()).isEqualTo(4);
      engine.memory.freeIdle();
      assertThat(engine.context().freeBytes()).isGreaterThan(freeBefore - (256 << 20));
    }
    assertThat(CudaDriver.get().liveHandles().size()).isEqualTo(liveBefore);
  }

  @Test
  void arraysInDeviceMemoryGiveTheResultsOfTheReference() {
    try (GpuEngine engine = (GpuEngine) new GpuEngineProvider().open(Map.of())) {
      new DeviceArraysCheck(engine).run();
    }
  }

  @Test
  void aSearchFindsAScheduleThatTheEngineThenUses(@TempDir Path folder) {
    StencilSpec spec = SPECS.get(0);
    FlatStencil what = FlatStencil.of(spec, 0, false);
    KernelSchedule found;
    try (GpuEngine engine = (GpuEngine) new GpuEngineProvider().open(Map.of());
        Tuner tuner = new Tuner(engine.context(), 1 << 24, 4, what.width(), 7)) {
      List<KernelSchedule> candidates =
          SearchSpace.candidates(
                  GeneratedKernels.selectorTraits(
                      engine.context().traits(), DeviceProfile.BUILT_IN),
                  what)
              .stream()
              .limit(12)
              .toList();
      List<TunedSchedule> measured = tuner.search(what, candidates);
      assertThat(measured).hasSameSizeAs(candidates);
      assertThat(measured).extracting(TunedSchedule::millis).isSorted();
      // Reading and writing 2^24 floats cannot be faster than the memory of any GPU.
      assertThat(measured.get(0).millis()).isGreaterThan(0.005);
      // Not the built-in choice, to see that it is used.
      TunedSchedule other =
          measured.stream()
              .filter(each -> !each.schedule().equals(candidates.get(0)))
              .findFirst()
              .orElseThrow();
      found = other.schedule();
      new TuningStore(folder, engine.context().traits()).save(TunedShape.of(what), other);
    }
    try (StencilEngine engine =
        new GpuEngineProvider().open(Map.of(GpuOptions.TUNING_FOLDER.key(), folder.toString()))) {
      assertThat(engine.compile(spec).description())
          .isEqualTo(new KernelVariant(what, found).entryName());
    }
  }
}
