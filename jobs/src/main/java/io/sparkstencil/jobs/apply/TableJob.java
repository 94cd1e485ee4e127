/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.jobs.files.Destination;
import io.sparkstencil.jobs.files.InputTable;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/** Makes a table of another. */
sealed interface TableJob permits ApplyJob, TileJob {
  /** Runs the job; what it writes is in its place when this returns, and nowhere if it throws. */
  RunReport run(SparkSession session, PrintWriter notes);

  /** Says that there was nothing to compute, if so. */
  static void noteNoRows(RunReport ran, InputTable input, PrintWriter notes) {
    if (ran.rows() == 0) {
      notes.printf("stencil: note: --input %s has no rows, so neither has the output%n", input);
    }
  }

  /**
   * Writes the report, and puts all in its place.
   *
   * @param report where to report, or null
   * @param written what the job has written, or null
   */
  static void publish(RunReport ran, Destination report, Destination... written) {
    if (report != null) {
      report.write(file -> ran.writeJson(ran.rows(), file));
    }
    Stream.concat(Stream.of(written), Stream.ofNullable(report))
        .filter(Objects::nonNull)
        .forEach(Destination::commit);
  }
}
