/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.InvalidStencilException;
import java.io.IOException;
import org.apache.spark.SparkException;
import org.junit.jupiter.api.Test;

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
    Throwable thrown =
        new SparkException("Job aborted", new IOException("No space left\n on device"));

    assertThat(Failure.of(thrown))
        .isEqualTo(new Failure(ExitCode.FAILED, "IOException: No space left on device"));
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
  void namesAFailureWithoutAMessage() {
    assertThat(Failure.of(new NullPointerException()).line()).contains("NullPointerException");
  }
}
