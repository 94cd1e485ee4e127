/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.TestSpark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the doctor tries on a Spark that runs. */
final class DoctorSparkTest {
  @RegisterExtension private static final TestSpark SPARK = new TestSpark();

  @Test
  void writesAndReadsAParquetFileAndLeavesNone() throws IOException {
    Check check = new ParquetTrial(SPARK.session()).run();

    assertThat(check.state()).as(check.toString()).isEqualTo(Check.State.OK);
    assertThat(check.finding())
        .startsWith("1000 of 1000 rows written to file:/")
        .contains(" read in ");
    assertThat(leftovers()).isEmpty();
  }

  private static List<String> leftovers() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("stencil-doctor-"))
          .toList();
    }
  }
}
