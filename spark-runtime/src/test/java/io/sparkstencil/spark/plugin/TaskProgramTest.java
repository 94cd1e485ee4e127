/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.MetricRegistry;
import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.cpu.program.CpuProgramProvider;
import io.sparkstencil.engine.CompiledProgram;
import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.ProgramEngine;
import io.sparkstencil.engine.ProgramEngineProvider;
import io.sparkstencil.engine.ProgramEstimate;
import io.sparkstencil.engine.ProgramWork;
import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.testkit.FaultPlan;
import io.sparkstencil.testkit.FaultyEngineProvider;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which engine runs the programs of tasks, and what happens when it fails. */
final class TaskProgramTest {
  private static final FaultPlan PLAN = FaultPlan.ofProcess();
  private static final StencilProgram SUM = ProgramText.parse("u' = u[-1] + 0.5*u[1]");
  private static final int MANY = 1 << 18;

  private final Device device = new Device();
  private final List<Integer> exits = new ArrayList<>();
  private ExecutorRuntime runtime;

  /** An engine on a device, which computes as the CPU does, and fails if told so. */
  private static final class Device implements ProgramEngineProvider, ProgramEngine {
    private StencilException failure;
    private Optional<String> reason = Optional.empty();
    private final List<String> runsOn = Collections.synchronizedList(new ArrayList<>());
    private CountDownLatch entered = new CountDownLatch(0);
    private CountDownLatch goesOn = new CountDownLatch(0);
    private String address;
    private boolean open;

    @Override
    public String name() {
      return "gpu";
    }

    @Override
    public int rank() {
      return 200;
    }

    @Override
    public Optional<String> unavailableReason() {
      return reason;
    }

    @Override
    public ProgramEstimate estimate(ProgramWork work) {
      return new ProgramEstimate(50e-6, 1e-10 * work.cells(), 0);
    }

    @Override
    public ProgramEngine open(Map<String, String> options) {
      open = true;
      address = options.get(EngineProvider.DEVICE_OPTION);
      return this;
    }

    @Override
    public String description() {
      return name();
    }

    @Override
    public CompiledProgram compile(StencilProgram program) {
      return new CompiledProgram() {
        @Override
        public void run(ProgramArrays arrays, ParameterValues parameters, int steps, int threads) {
          runsOn.add(address);
          entered.countDown();
          await(goesOn);
          if (failure != null) {
            throw failure;
          }
          CpuProgram.compile(program, Map.of()).run(arrays, parameters, steps, 1);
        }

        @Override
        public long deviceBytes(ElementType type, Extent extent) {
          return 2L * type.bytes() * extent.cells();
        }
      };
    }

    @Override
    public void close() {
      open = false;
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @BeforeEach
  void oneDevice() {
    PLAN.reset();
    PLAN.enable();
    PLAN.setDevices(List.of("7"));
    runtime =
        new ExecutorRuntime(
            new RuntimeSetup(
                StencilConf.DEFAULTS,
                List.of(new FaultyEngineProvider()),
                List.of(),
                false,
                new MetricRegistry(),
                exits::add),
            null,
            List.of(new CpuProgramProvider(), device));
  }

  @AfterEach
  void end() {
    runtime.close();
    assertThat(runtime.openLanes()).isZero();
    assertThat(device.open).isFalse();
    PLAN.reset();
  }

  private TaskProgram program(String engine, boolean fallback) {
    return runtime.program(
        SUM,
        new StencilConf(
            Map.of(
                "spark.stencil.engine",
                engine,
                "spark.stencil.fallback",
                String.valueOf(fallback))));
  }

  private static void run(TaskProgram program, int cells) {
    double[] actual = IntStream.range(0, cells).mapToDouble(i -> i % 7).toArray();
    double[] expected = step(step(step(actual)));
    program.run(arrays(actual), ParameterValues.NONE, 3);
    assertThat(Arrays.equals(actual, expected)).isTrue();
  }

  private static double[] step(double... u) {
    int last = u.length - 1;
    return IntStream.range(0, u.length)
        .mapToDouble(i -> u[Math.max(0, i - 1)] + 0.5 * u[Math.min(last, i + 1)])
        .toArray();
  }

  private static ProgramArrays arrays(double... cells) {
    return new ProgramArrays(ElementType.F64, Extent.of(cells.length), List.of(cells));
  }

  @Test
  void largeWorkGoesToTheTasksDeviceAndSmallWorkToTheCpu() {
    TaskProgram program = program("auto", true);
    run(program, MANY);
    assertThat(program.engine()).isEqualTo("gpu");
    assertThat(program.choice()).isEqualTo(EngineChoice.DEVICE_FASTER);
    assertThat(device.runsOn).containsExactly("7");
    run(program, 10);
    assertThat(program.engine()).isEqualTo("cpu");
    assertThat(program.choice()).isEqualTo(EngineChoice.HOST_FASTER);
    assertThat(program.fallbacks()).isZero();
  }

  @Test
  void theLargestRunOnTheDeviceTellsTheMemory() {
    TaskProgram program = program("auto", true);
    run(program, 10);
    assertThat(program.deviceBytes()).as("on the CPU").isZero();
    run(program, 2 * MANY);
    run(program, MANY);
    assertThat(program.deviceBytes()).isEqualTo(2L * Double.BYTES * 2 * MANY);
  }

  @ParameterizedTest
  @CsvSource({"cpu, 262144", "gpu, 3"})
  void anEngineThatIsNamedIsUsed(String name, int cells) {
    TaskProgram program = program(name, true);
    run(program, cells);
    assertThat(program.engine()).isEqualTo(name);
    assertThat(program.choice()).isEqualTo(EngineChoice.ASKED_FOR);
  }

  @ParameterizedTest
  @CsvSource({"auto", "gpu"})
  void theCpuTakesOverWhatTheDeviceCannot(String name) {
    device.failure = new DeviceOutOfMemoryException("full");
    TaskProgram program = program(name, true);
    run(program, MANY);
    run(program, MANY);
    assertThat(program.engine()).isEqualTo("cpu");
    assertThat(program.fallbacks()).isEqualTo(2);
    device.failure = null;
    run(program, MANY);
    assertThat(program.engine()).isEqualTo("gpu");
  }

  @Test
  void tasksTakeTurnsOnADevice() throws Exception {
    device.goesOn = new CountDownLatch(1);
    int most = StencilConf.DEFAULTS.get(StencilOptions.GPU_CONCURRENT_TASKS);
    ExecutorService threads = Executors.newFixedThreadPool(most + 1);
    try {
      device.entered = new CountDownLatch(most);
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i <= most; i++) {
        runs.add(threads.submit(() -> run(program("gpu", true), MANY)));
      }
      device.entered.await();
      while (runtime.permits() <= most) { // the last one has not asked yet
        Thread.onSpinWait();
      }
      assertThat(device.runsOn).hasSize(most);
      device.goesOn.countDown();
      for (Future<?> run : runs) {
        run.get();
      }
    } finally {
      device.goesOn.countDown();
      threads.shutdownNow();
    }
    assertThat(device.runsOn).hasSize(most + 1);
    assertThat(runtime.permits()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"auto", "gpu"})
  void withoutFallbackTheTaskFails(String name) {
    device.failure = new KernelCompilationException("refused");
    TaskProgram program = program(name, false);
    assertThatThrownBy(() -> run(program, MANY)).hasMessage("refused");
    if (name.equals("auto")) {
      run(program, 10); // which goes to the CPU by its size
    }
  }

  @ParameterizedTest
  @CsvSource({"auto", "gpu"})
  void theLossOfADeviceEndsTheExecutor(String name) {
    device.failure = new DeviceLostException("gone");
    TaskProgram program = program(name, true);
    run(program, MANY);
    assertThat(program.engine()).isEqualTo("cpu");
    assertThat(exits).containsExactly(RuntimeSetup.DEVICE_LOST_CODE);
    run(program, MANY);
    assertThat(device.runsOn).hasSize(1);
  }

  @Test
  void anEngineThatIsNamedAndNotThereFailsAtOnce() {
    device.reason = Optional.of("no driver");
    assertThatThrownBy(() -> program("gpu", true))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining("no driver");
    run(program("auto", true), MANY);
    device.reason = Optional.empty(); // probed again
    run(program("gpu", true), MANY);
  }

  @Test
  void noProgramRunsAfterTheEndOfTheRuntime() {
    TaskProgram program = program("auto", true);
    runtime.close();
    assertThatThrownBy(() -> run(program, 10)).hasMessageContaining("shutting down");
  }
}
