/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ScheduleTuning;
import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tune command where there is no GPU, or nothing sensible was asked for. */
final class TuneTest {
  @TempDir private Path folder;

  @Test
  void saysWhyThereIsNoGpuAndLeavesNothing() {
    Optional<String> reason =
        Engines.discover().stream()
            .filter(provider -> provider.name().equals("gpu"))
            .findFirst()
            .orElseThrow()
            .unavailableReason();
    assumeTrue(reason.isPresent(), "skipped: this machine has a GPU");
    CommandRun run = CommandRun.of("tune", "--folder", folder.resolve("new").toString());
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
        "--op median | expected one of [MEAN, SUM, MIN, MAX, WEIGHTED]",
        "--type f16 | expected one of [F32, F64, I32, I64]",
        "--folder x --master local | Unknown options: '--master'",
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
            TuneCommand.row(
                spec, new ScheduleTuning.Outcome("smem_t64", 0.25, OptionalDouble.of(0.275), 41)))
        .isEqualTo("mean            17 f32  exact          0.2750    0.2500  10.0 %  smem_t64");
    assertThat(
            TuneCommand.row(
                spec, new ScheduleTuning.Outcome("smem_t64", 0.25, OptionalDouble.empty(), 41)))
        .isEqualTo("mean            17 f32  exact               -    0.2500       -  smem_t64");
  }
}
