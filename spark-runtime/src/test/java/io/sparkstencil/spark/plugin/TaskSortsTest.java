/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.MetricRegistry;
import io.sparkstencil.engine.RowSort;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.testkit.Fault;
import io.sparkstencil.testkit.FaultPlan;
import io.sparkstencil.testkit.FaultyEngineProvider;
import io.sparkstencil.testkit.PackedWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a device sorts the rows of a task, and what is given back. */
final class TaskSortsTest {
  private static final FaultPlan PLAN = FaultPlan.ofProcess();
  private static final int ROWS = 100_000;

  private final List<Integer> exits = new ArrayList<>();
  private ExecutorRuntime runtime;

  @BeforeEach
  void open() {
    PLAN.enable();
    runtime =
        new ExecutorRuntime(
            new RuntimeSetup(
                conf(StencilOptions.GPU_CONCURRENT_TASKS.key(), "1"),
                List.of(new FaultyEngineProvider()),
                List.of(),
                false,
                new MetricRegistry(),
                exits::add),
            null,
            List.of());
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(PLAN.openLeases()).isZero();
    assertThat(runtime.openLanes()).isZero();
    assertThat(runtime.permits()).isZero();
    runtime.close();
    PLAN.reset();
  }

  private static StencilConf conf(String key, String value) {
    return StencilConf.DEFAULTS.with(Map.of(key, value));
  }

  private TaskSorts sorts(StencilConf conf) {
    return runtime.sorts(conf).orElseThrow();
  }

  @Test
  void manyRowsAreSortedWhereNoOtherTaskHasTheDevice() {
    TaskSorts sorts = sorts(StencilConf.DEFAULTS);
    assertThat(sorts.isFaster(ROWS, 3, 2)).isTrue();
    assertThat(sorts.isFaster(100, 3, 2)).isFalse();
    long[] words = {3, 1, 2};
    try (RowSort sort = sorts.open(3, 1).orElseThrow()) {
      assertThat(sorts(StencilConf.DEFAULTS).open(3, 1)).as("another task").isEmpty();
      new PackedWords(words).addTo(sort);
      sort.sort(List.of(new RowSort.Key(0, RowSort.Form.LONG, false, 1, 2)), 1);
      sort.read(0, 0, 3, words, 0);
    }
    assertThat(words).containsExactly(1, 2, 3);
    sorts(StencilConf.DEFAULTS).open(3, 1).orElseThrow().close();
  }

  @Test
  void hostSortsWhereItIsAskedFor() {
    assertThat(runtime.sorts(conf(StencilOptions.ENGINE.key(), "cpu"))).isEmpty();
    assertThat(runtime.sorts(conf(StencilOptions.ENGINE.key(), "reference"))).isEmpty();
  }

  @Test
  void deviceThatCannotBeUsedIsNoFailure() {
    PLAN.enable(Fault.always(Fault.EngineCall.OPEN, Fault.Symptom.UNAVAILABLE));
    TaskSorts sorts = sorts(conf(StencilOptions.FALLBACK.key(), "false"));
    assertThat(sorts.open(ROWS, 3)).isEmpty();
  }

  @Test
  void kernelsThatDoNotCompileAreNotAskedForAgain() {
    TaskSorts sorts = sorts(StencilConf.DEFAULTS);
    assertThat(sorts.isLeftToHost(new KernelCompilationException("refused"))).isTrue();
    assertThat(sorts.isFaster(ROWS, 3, 2)).isFalse();
    assertThat(sorts(StencilConf.DEFAULTS).isFaster(ROWS, 3, 2)).as("another task").isFalse();
  }

  @Test
  void failuresAreTheTasksWithoutFallback() {
    PLAN.enable(Fault.always(Fault.EngineCall.OPEN_SORT, Fault.Symptom.DEVICE_LOST));
    TaskSorts sorts = sorts(conf(StencilOptions.FALLBACK.key(), "false"));
    assertThatThrownBy(() -> sorts.open(ROWS, 3))
        .isInstanceOfSatisfying(
            StencilException.class, failure -> assertThat(sorts.isLeftToHost(failure)).isFalse());
    assertThat(exits).containsExactly(RuntimeSetup.DEVICE_LOST_CODE);
  }
}
