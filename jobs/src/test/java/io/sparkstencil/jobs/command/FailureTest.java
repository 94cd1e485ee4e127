/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.InvalidStencilException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.security.AccessControlException;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FailureTest {
  @Test
  void takesOurOwnMessageFromAmongTheCauses() {
    Throwable thrown =
        new SparkException("Job aborted\n  stage 3", new BadDataException("row 7 is out of order"));

    assertThat(Failure.of(thrown))
        .isEqualTo(new Failure(ExitCode.BAD_DATA, "row 7 is out of order"));
  }

  @Test
  void mapsKindsOfFailureToExitCodes() {
    assertThat(Failure.of(new InvalidStencilException("x")).exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(Failure.of(new BadDataException("x")).exitCode()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(Failure.of(new EngineUnavailableException("x")).exitCode())
        .isEqualTo(ExitCode.FAILED);
    assertThat(Failure.of(new IllegalStateException("x")).exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void saysTheInnermostReasonOfAForeignFailureInOneLine() {
    Throwable thrown = new SparkException("Job aborted", new IOException("the disk\n is on fire"));

    assertThat(Failure.of(thrown))
        .isEqualTo(new Failure(ExitCode.FAILED, "IOException: the disk is on fire"));
  }

  @Test
  void dropsAMarkThatWouldLoseItsPlace() {
    String message = "line 1, column 3: unknown function f%n  2*f(u)%n    ^".formatted();
    assertThat(Failure.of(new InvalidStencilException(message)).line())
        .isEqualTo("line 1, column 3: unknown function f");
  }

  @Test
  void saysHowToGetMoreMemory() {
    Failure failure = Failure.of(new RuntimeException(new OutOfMemoryError("Java heap space")));

    assertThat(failure.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(failure.line()).contains("Java heap space").contains("spark.driver.memory");
  }

  @Test
  void saysThatExecutorsRanOutOfMemory() {
    Failure failure =
        Failure.of(
            new SparkException(
                "Job aborted: ExecutorLostFailure (executor 1 exited caused by one of the running"
                    + " tasks) Reason: Command exited with code 52\nDriver stacktrace:"));

    assertThat(failure.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(failure.line()).contains("code 52").contains("spark.executor.memory");
  }

  @Test
  void aFileThatMayNotBeReadIsWrongUsage() {
    for (IOException denied :
        List.of(
            new FileNotFoundException("/data/in.csv (Permission denied)"),
            new AccessDeniedException("/data/in.csv"),
            new AccessControlException("Permission denied: user=me, access=READ, /data/in.csv"))) {
      Failure failure = Failure.of(new SparkException("[FAILED_READ_FILE.FILE_NOT_EXIST]", denied));

      assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE);
      assertThat(failure.line())
          .containsIgnoringCase("permission denied")
          .contains("/data/in.csv")
          .endsWith("let the user who runs this command read it");
    }
  }

  @Test
  void namesTheDisksThatMayBeFull(@TempDir Path folder) {
    Throwable thrown = new SparkException("x", new IOException("No space left on device"));
    String output = folder.resolve("out.csv").toString();

    Failure failure = FullDisk.explain(thrown, List.of("/tmp"), List.of(output)).orElseThrow();

    assertThat(failure.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(failure.line())
        .matches("a disk is full: results go to .*out.csv \\(\\d+ MiB free\\), .*")
        .contains("to /tmp (")
        .contains("--conf spark.local.dir=FOLDER");
    assertThat(FullDisk.explain(new IOException("x"), List.of("/tmp"), List.of(output))).isEmpty();
    assertThat(Failure.of(thrown).line()).startsWith("a disk is full");
  }

  @Test
  void namesThePlacesWhereAFileMayGrowNoLarger() {
    Throwable thrown = new SparkException("x", new IOException("File too large"));

    Failure failure =
        FullDisk.explain(thrown, List.of("/tmp"), List.of("/data/out.csv")).orElseThrow();

    assertThat(failure.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(failure.line())
        .startsWith("a file is larger than its file system, or ulimit -f, allows: results go to ")
        .contains("/data/out.csv (", "/tmp (");
    assertThat(Failure.of(thrown).line()).startsWith("a file is larger than");
  }

  @Test
  void writesOutWhatATerminalObeys() {
    Throwable thrown = new SparkException("x", new IOException("v\u001b[31m is gone"));

    assertThat(Failure.of(thrown).line()).isEqualTo("IOException: v\\u001b[31m is gone");
  }

  @Test
  void leavesOutSparksNamesForErrors() {
    String text = "[SOME_ERROR.WITH_HINT] The value is wrong. SQLSTATE: 22003: at row 7";

    assertThat(SparkText.plain(text)).isEqualTo("The value is wrong.: at row 7");
  }

  @Test
  void namesAFailureWithoutAMessage() {
    assertThat(Failure.of(new NullPointerException()).line()).contains("NullPointerException");
  }
}
