/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramTuning;
import io.sparkstencil.engine.ProgramTuning.Trial;
import io.sparkstencil.engine.ScheduleTuning;
import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.program.Extent;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tune command where there is no GPU, or nothing sensible was asked for. */
final class TuneTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"", "--expression u[-1]+u[1] --extent 4096 --accuracy fma"})
  void saysWhyThereIsNoGpuAndLeavesNothing(String options) {
    Optional<String> reason =
        Engines.discover().stream()
            .filter(provider -> provider.name().equals("gpu"))
            .findFirst()
            .orElseThrow()
            .unavailableReason();
    assumeTrue(reason.isPresent(), "skipped: this machine has a GPU");
    CommandRun run =
        CommandRun.of(
            "tune --folder %s %s".formatted(folder.resolve("new"), options).strip().split(" "));
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.errorLines()).containsExactly("stencil: " + reason.get());
    assertThat(run.out()).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--cells 3 | --cells is 3; use 1024 to",
        "--repeats 0 | --repeats is 0; use 1 to",
        "--radius 1,-2 | --radius is -2; use 0 to",
        "--op median | --op median is unknown; --op takes mean, sum, min, max, weighted",
        "--type f16 | --type f16 is unknown; --type takes f32, f64, i32, i64",
        "--folder x --master local | unknown option --master of tune",
        "--accuracy fused | known accuracies are exact, fma, fast",
        "--expression u --radius 1 --extent 9 | --radius is for windows; leave out --radius or --e",
        "--grid 9 | --grid is for programs; say --expression TEXT, or leave it out to tune",
        "--seconds 9 | --seconds is for programs; say --expression TEXT, or leave it out to tune",
        "--expression u | --expression needs --grid NxM, the cells along each axis",
        "--expression u --extent 2,2,2,2 | --grid 2,2,2,2 is no extent; write the cells along 1 to",
        "--expression u --grid 9x0 | --grid 9x0 has an axis without cells; use at least one",
        "--expression u[1,0] --extent 9 | column 1",
        "--expression u+sine(u) --extent 9 | unknown function sine",
        "--expression u --extent 9 --boundary round | round",
        "--expression u --extent 9 --type i32 | --type i32 is no floating-point type; use f32",
        "--expression u --extent 9 --accuracy good | known accuracies are exact, fma, fast",
        "--expression u --extent 9 --seconds 0 | --seconds is 0; use 1 to 86400",
        "--expression u --extent 9 | say --folder FOLDER or --conf spark.stencil.gpu.tuningFolder",
        "--radius 1 | say --folder FOLDER or --conf spark.stencil.gpu.tuningFolder=FOLDER",
      })
  void refusesWhatItCannotDo(String options, String message) {
    CommandRun run = CommandRun.of(("tune " + options).split(" "));
    assertThat(run.err()).contains(message);
    assertThat(run.errorLines()).hasSize(1);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void aRowComparesTheKeptScheduleWithTheBuiltInOne() {
    StencilSpec spec = new StencilSpec(Stencil.mean(Frame.radius(8)), ElementType.F32);
    assertThat(
            TuningTable.row(
                spec,
                new ScheduleTuning.FoundSchedule("smem_t64", 0.25, OptionalDouble.of(0.275), 41)))
        .isEqualTo("mean            17 f32  exact          0.2750    0.2500  10.0 %  smem_t64");
    assertThat(
            TuningTable.row(
                spec,
                new ScheduleTuning.FoundSchedule("smem_t64", 0.25, OptionalDouble.empty(), 41)))
        .isEqualTo("mean            17 f32  exact               -    0.2500       -  smem_t64");
  }

  @Test
  void aRowOfAProgramSaysHowFastItIs() {
    Trial builtIn = new Trial("single steps", OptionalDouble.of(0.5));
    Trial kept = new Trial("rows 8", OptionalDouble.of(0.25));
    assertThat(
            TuningTable.row(
                ElementType.F32,
                Accuracy.FMA,
                Extent.of(1000, 1000),
                new ProgramTuning.FoundProgram(kept, builtIn, 2)))
        .isEqualTo("f32  fma            0.5000    0.2500 100.0 %        4.0  rows 8");
    assertThat(TuningTable.line(kept)).isEqualTo("   0.2500 ms per step  rows 8");
    assertThat(TuningTable.line(new Trial("rows 9", OptionalDouble.empty())))
        .isEqualTo("   cannot be used   rows 9");
  }
}
