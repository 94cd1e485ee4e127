/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.sparkstencil.cpu.CpuEngineProvider;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.testkit.Fault;
import io.sparkstencil.testkit.FaultPlan;
import io.sparkstencil.testkit.FaultyEngineProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the tasks of one executor are spread over several devices. */
@Timeout(60)
class DeviceSpreadTest {
  private static final FaultPlan PLAN = FaultPlan.ofProcess();
  private static final PartitionWork WORK =
      PartitionWork.of(List.of(new StencilSpec(Stencil.mean(Frame.radius(3)), ElementType.F64)));
  private static final int TASKS = 32;

  private final ExecutorService threads = Executors.newFixedThreadPool(TASKS);
  private ExecutorRuntime runtime;

  @BeforeEach
  void twoDevices() {
    PLAN.reset();
    PLAN.enable();
    PLAN.setDevices(List.of("0", "1"));
    runtime =
        new ExecutorRuntime(
            new RuntimeSetup(
                new StencilConf(Map.of()),
                List.of(new FaultyEngineProvider()),
                List.of(),
                true,
                new MetricRegistry(),
                code -> {}),
            null);
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
    runtime.close();
    assertThat(PLAN.openEngines()).isZero();
    PLAN.reset();
  }

  private TaskEngine engine() {
    return runtime.engineFor(WORK, runtime.setup().conf());
  }

  private static Map<String, Long> byDevice(List<TaskEngine> engines) {
    return engines.stream()
        .collect(Collectors.groupingBy(TaskEngine::description, Collectors.counting()));
  }

  /** Runs {@code task} in 32 threads, which begin at the same time. */
  private <T> List<T> inTasks(Function<CyclicBarrier, T> task) throws Exception {
    CyclicBarrier start = new CyclicBarrier(TASKS);
    List<Future<T>> running =
        IntStream.range(0, TASKS).mapToObj(i -> threads.submit(() -> task.apply(start))).toList();
    List<T> results = new ArrayList<>();
    for (Future<T> each : running) {
      results.add(each.get());
    }
    return results;
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void tasksThatBeginTogetherAreSpreadBeforeAnyOfThemUsesItsDevice() throws Exception {
    List<TaskEngine> engines =
        inTasks(
            start -> {
              await(start);
              return engine();
            });
    assertThat(byDevice(engines).values()).containsExactly(16L, 16L);
    engines.forEach(TaskEngine::close);
  }

  @Test
  void whoComesNextGetsTheDeviceThatAnotherHasLeft() {
    List<TaskEngine> engines = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      engines.add(engine());
    }
    TaskEngine left = engines.remove(3);
    String device = left.description();
    left.close();
    left.close();
    for (int i = 0; i < 10; i++) {
      TaskEngine next = engine();
      assertThat(next.description()).isEqualTo(device);
      next.close();
    }
    engines.forEach(TaskEngine::close);
  }

  @Test
  void aTaskWithSeveralEnginesStaysOnItsDevice() {
    ProcessEngines engines =
        new ProcessEngines(
            new StencilConf(Map.of()), List.of(new FaultyEngineProvider()), List.of("0", "1"));
    ProcessEngines.Choice first = engines.choose("auto", true, WORK, 1, List.of());
    ProcessEngines.Choice second = engines.choose("auto", true, WORK, 1, List.of());
    ProcessEngines.Choice ofAnother = engines.choose("auto", true, WORK, 2, List.of());
    assertThat(second.engines()).isEqualTo(first.engines());
    assertThat(ofAnother.engines()).isNotEqualTo(first.engines());
    first.engines().get(0).leave(1);
    assertThat(engines.choose("auto", true, WORK, 1, List.of()).engines())
        .isEqualTo(first.engines());
    engines.close();
  }

  @Test
  void aTaskIsCountedWhereverItHasAnEngine() {
    ProcessEngines engines =
        new ProcessEngines(
            new StencilConf(Map.of()),
            List.of(new FaultyEngineProvider(), new CpuEngineProvider()),
            List.of("0"));
    ProcessEngines.Choice choice = engines.choose("auto", true, WORK, -1, List.of());
    List<ProcessEngine> both = choice.engines();
    assertThat(both).extracting(ProcessEngine::tasks).containsExactly(1, 0);
    PLAN.enable(Fault.always(Fault.EngineCall.COMPILE, Fault.Symptom.NOT_COMPILED));
    TaskEngine engine = new TaskEngine(runtime, null, -1, WORK, choice);
    assertThat(engine.reasonAgainst(WORK.specs().get(0))).isEmpty();
    assertThat(engine.name()).isEqualTo(both.get(1).name());
    assertThat(both).extracting(ProcessEngine::tasks).containsExactly(1, 1);
    engine.close();
    engine.close();
    assertThat(both).extracting(ProcessEngine::tasks).containsExactly(0, 0);
    engines.close();
  }

  @Test
  void permitsOfBothDevicesAreHeldByHalfOfTheTasksEach() throws Exception {
    List<Integer> held =
        inTasks(
            start -> {
              try (TaskEngine engine = engine();
                  Lane lane = engine.openLane()) {
                lane.lease(ElementType.F64, 100, false).close(); // asks for a permit
                await(start);
                int permits = runtime.permits();
                await(start);
                return permits;
              }
            });
    assertThat(held).containsOnly(TASKS);
    assertThat(runtime.permits()).isZero();
  }

  /** Spark gives both tasks the first device; blocks stay longer than tasks. */
  @Test
  void blocksAreSharedOutOverTheDevicesOfTheExecutor() {
    StencilConf conf = new StencilConf(Map.of());
    ProcessEngines engines =
        new ProcessEngines(conf, List.of(new FaultyEngineProvider()), List.of("0", "1"));
    List<String> given = List.of("0");
    assertThat(engines.deviceAt(0.1, 1, given).orElseThrow().address()).isEqualTo("0");
    assertThat(engines.deviceAt(0.4, 2, given).orElseThrow().address()).isEqualTo("0");
    assertThat(engines.deviceAt(0.6, 3, given).orElseThrow().address()).isEqualTo("1");
    assertThat(engines.deviceAt(0.9, 4, given).orElseThrow().address()).isEqualTo("1");
    engines.deviceAt(0.9, 4, given).orElseThrow().lose("gone");
    assertThat(engines.deviceAt(0.9, 5, given).orElseThrow().address()).isEqualTo("0");
    engines.close();

    ProcessEngines withoutPlugin =
        new ProcessEngines(conf, List.of(new FaultyEngineProvider()), List.of());
    assertThat(withoutPlugin.deviceAt(0.9, 1, given).orElseThrow().address())
        .as("the devices of the executor are not known, but that of the task")
        .isEqualTo("0");
    withoutPlugin.close();
  }
}
