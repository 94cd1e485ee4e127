/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.command.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import picocli.CommandLine;

/** After which calls an archive of Spark's classes may be made: those that have run Spark. */
final class HasRunSparkTest {
  @RegisterExtension private static final TestSpark SPARK = new TestSpark();

  private final StringWriter out = new StringWriter();
  private final CommandLine line =
      StencilCommand.commandLine(new PrintWriter(out), new PrintWriter(out));

  @Test
  void helpAndWrongCallsHaveNot() {
    assertThat(StencilCommand.execute(line, "--help")).isEqualTo(ExitCode.DONE);
    assertThat(StencilCommand.execute(line, "solve", "--help")).isEqualTo(ExitCode.DONE);
    assertThat(StencilCommand.execute(line, "draw", "--help")).isEqualTo(ExitCode.DONE);
    assertThat(StencilCommand.execute(line, "aply")).isEqualTo(ExitCode.USAGE);
    assertThat(StencilCommand.execute(line, "solve", "--equation", "heat", "--grid", "0x0"))
        .isEqualTo(ExitCode.USAGE);
    assertThat(StencilCommand.hasRunSpark(line)).isFalse();
  }

  @Test
  void theDoctorHasAndTriesFilesToo() {
    assertThat(StencilCommand.execute(line, "doctor")).as(out.toString()).isEqualTo(ExitCode.DONE);

    assertThat(out.toString()).contains("ok       Parquet          1000 of 1000 rows");
    assertThat(StencilCommand.hasRunSpark(line)).isTrue();
  }
}
