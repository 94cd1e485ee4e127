/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cpu.program.CpuProgramProvider;
import io.sparkstencil.error.DeviceLostException;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.KernelCompilationException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine of a run: the fastest by its estimate, and the next one if that fails. */
final class ProgramEnginesTest {
  private static final StencilProgram SUM = ProgramText.parse("u' = u[-1] + u[1]");

  /** An engine on a device, which fails in one way or another. */
  private static final class Device implements ProgramEngineProvider, ProgramEngine {
    private final Optional<String> reason;
    private final StencilException failure;
    private int runs;

    Device(Optional<String> reason, StencilException failure) {
      this.reason = reason;
      this.failure = failure;
    }

    @Override
    public String name() {
      return "device";
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
      return new ProgramEstimate(50e-6, 1e-9 * work.cells(), 0);
    }

    @Override
    public ProgramEngine open(Map<String, String> options) {
      return this;
    }

    @Override
    public String description() {
      return name();
    }

    @Override
    public CompiledProgram compile(StencilProgram program) {
      return (arrays, parameters, steps, threads) -> {
        runs++;
        throw failure;
      };
    }

    @Override
    public void close() {
      // has no resources
    }
  }

  private static ProgramEngines with(Device device) {
    return ProgramEngines.select(Engines.AUTO, Map.of(), List.of(new CpuProgramProvider(), device));
  }

  private static double[] run(ProgramEngines engines, int cells) {
    double[] ones = new double[cells];
    Arrays.fill(ones, 1);
    engines
        .compile(SUM)
        .run(
            new ProgramArrays(ElementType.F64, Extent.of(cells), List.of(ones)),
            ParameterValues.NONE,
            100,
            1);
    return ones;
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "cpu", "reference", " CPU "})
  void enginesAreFoundByName(String name) {
    try (ProgramEngines engines = ProgramEngines.select(name, Map.of())) {
      assertThat(run(engines, 3)).containsOnly(Math.pow(2, 100));
    }
  }

  @Test
  void nobodyGetsTheReferenceUnasked() {
    try (ProgramEngines engines = ProgramEngines.select("auto", Map.of())) {
      assertThat(engines.compile(SUM).choose(ElementType.F64, Extent.of(9), 1, 1).candidates())
          .extracting(ProgramChoice.Candidate::engine)
          .doesNotContain(Engines.REFERENCE);
    }
  }

  @Test
  void smallWorkStaysOnTheCpuAndTheReasonIsSaid() {
    Device device = new Device(Optional.empty(), new DeviceLostException("gone"));
    try (ProgramEngines engines = with(device)) {
      BestProgram sum = engines.compile(SUM);
      assertThat(sum.choose(ElementType.F64, Extent.of(100), 100, 1).engine()).isEqualTo("cpu");
      ProgramChoice large = sum.choose(ElementType.F64, Extent.of(1 << 20), 100, 1);
      assertThat(large.engine()).isEqualTo("device");
      assertThat(large.why())
          .matches(
              "1048576 cells and 100 steps are estimated to take .* ms on device, of which copies take 1.05 ms, and .* ms on cpu");
    }
  }

  @Test
  void aLostDeviceIsNotUsedAgain() {
    Device device = new Device(Optional.empty(), new DeviceLostException("gone"));
    try (ProgramEngines engines = with(device)) {
      assertThat(run(engines, 1 << 16)).containsOnly(Math.pow(2, 100));
      assertThat(run(engines, 1 << 16)).containsOnly(Math.pow(2, 100));
      assertThat(device.runs).isEqualTo(1);
      assertThat(engines.compile(SUM).choose(ElementType.F64, Extent.of(9), 1, 1).why())
          .isEqualTo("engine device is not used: gone");
    }
  }

  @Test
  void otherFailuresOfADeviceAreTriedAgain() {
    Device device = new Device(Optional.empty(), new KernelCompilationException("refused"));
    try (ProgramEngines engines = with(device)) {
      run(engines, 1 << 16);
      assertThat(run(engines, 1 << 16)).containsOnly(Math.pow(2, 100));
      assertThat(device.runs).isEqualTo(2);
    }
  }

  @Test
  void aProgramSaysWhichEngineRanItAndAsksARefusingOneOnce() {
    Device device = new Device(Optional.empty(), new KernelCompilationException("refused"));
    List<String> failures = new ArrayList<>();
    try (ProgramEngines engines = with(device)) {
      BestProgram sum = engines.compile(SUM);
      for (int i = 0; i < 2; i++) {
        double[] cells = new double[1 << 16];
        ProgramArrays arrays =
            new ProgramArrays(ElementType.F64, Extent.of(cells.length), List.of(cells));
        assertThat(
                sum.run(
                    arrays,
                    ParameterValues.NONE,
                    100,
                    1,
                    (engine, failure) -> failures.add(engine + " " + failure.getMessage())))
            .isEqualTo("cpu");
      }
      assertThat(failures).containsExactly("device refused");
    }
  }

  @Test
  void badCallsGoToTheCaller() {
    Device device = new Device(Optional.empty(), new InvalidStencilException("bad"));
    try (ProgramEngines engines = with(device)) {
      assertThatThrownBy(() -> run(engines, 1 << 16)).hasMessage("bad");
    }
  }

  @Test
  void enginesThatCannotBeUsedSayWhy() {
    Device device = new Device(Optional.of("no driver"), null);
    try (ProgramEngines engines = with(device)) {
      assertThat(run(engines, 1 << 16)).containsOnly(Math.pow(2, 100));
      assertThat(engines.compile(SUM).choose(ElementType.F64, Extent.of(9), 1, 1).why())
          .isEqualTo("engine device is not used: no driver");
    }
    assertThatThrownBy(() -> ProgramEngines.select("device", Map.of(), List.of(device)))
        .isInstanceOf(EngineUnavailableException.class)
        .hasMessageContaining("no driver");
    assertThatThrownBy(() -> ProgramEngines.select("abacus", Map.of()))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("abacus");
  }
}
