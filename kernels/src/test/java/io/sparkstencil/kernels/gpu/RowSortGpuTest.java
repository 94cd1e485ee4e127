/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.testkit.RequiresGpu;
import io.sparkstencil.testkit.RowSortCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sorts of rows on a real device, one after the other and many at once. */
@RequiresGpu
class RowSortGpuTest {
  private static final int TASKS = 8;

  private static int liveBefore;
  private static GpuEngine engine;

  @BeforeAll
  static void open() {
    liveBefore = CudaDriver.get().liveHandles().size();
    engine = (GpuEngine) new GpuEngineProvider().open(Map.of());
  }

  @AfterAll
  static void nothingIsLeft() {
    assertThat(engine.pinned.usage().leases()).isZero();
    assertThat(engine.memory.usage().leases()).isZero();
    engine.close();
    assertThat(CudaDriver.get().liveHandles().size()).isEqualTo(liveBefore);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 31, 4096, 4097, 100_000, 1_000_000})
  void rowsAreInOrderAndEqualOnesStayAsTheyCame(int rows) {
    for (int columns = 1; columns <= 5; columns++) {
      new RowSortCheck(
              (n, each) -> PoisonedSort.open(engine, n, each), rows, columns, rows + columns)
          .run();
    }
  }

  @Test
  void manySortsAtOnceDoNotDisturbEachOther() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(TASKS);
    List<Future<?>> tasks = new ArrayList<>();
    for (int t = 0; t < TASKS; t++) {
      int task = t;
      tasks.add(
          threads.submit(
              () -> {
                for (int columns = 1; columns <= 5; columns++) {
                  new RowSortCheck(
                          (n, each) -> PoisonedSort.open(engine, n, each),
                          50_000 + 10_007 * task,
                          columns,
                          task)
                      .run();
                }
              }));
    }
    for (Future<?> task : tasks) {
      task.get(180, TimeUnit.SECONDS);
    }
    threads.shutdown();
  }
}
