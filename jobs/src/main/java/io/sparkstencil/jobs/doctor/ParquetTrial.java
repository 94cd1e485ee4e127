/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.doctor;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;

/**
 * A small table that is written as Parquet and read again, as jobs do with files.
 *
 * @param session where it runs
 */
record ParquetTrial(SparkSession session) {
  static final String SUBJECT = "Parquet";
  private static final int ROWS = 1000;

  /** Writes the table into the folder for temporary files, reads it and removes it. */
  Check run() throws IOException {
    Configuration hadoop = session.sparkContext().hadoopConfiguration();
    FileSystem files = FileSystem.get(hadoop);
    Path folder = files.getHomeDirectory();
    if (session.sparkContext().isLocal()) {
      files = FileSystem.get(URI.create("file:///"), hadoop);
      folder = new Path("file://" + System.getProperty("java.io.tmpdir"));
    } else if (files instanceof LocalFileSystem) {
      return Check.missing(
          SUBJECT,
          "not tried: no file system is known that executors share",
          "name one with --conf spark.hadoop.fs.defaultFS=URL");
    }
    Path table = new Path(folder, "stencil-doctor-" + UUID.randomUUID());
    try {
      return runAt(table);
    } finally {
      files.delete(table, true);
    }
  }

  private Check runAt(Path table) {
    long start = System.nanoTime();
    session.range(0, ROWS, 1, 2).write().parquet(table.toString());
    List<Long> written = LongStream.range(0, ROWS).boxed().toList();
    List<Long> read =
        session.read().parquet(table.toString()).collectAsList().stream()
            .map(row -> row.getLong(0))
            .sorted()
            .toList();
    return Check.of(
        read.equals(written),
        SUBJECT,
        "%d of %d rows written to %s and read in %.1f s"
            .formatted(read.size(), ROWS, table.getParent(), (System.nanoTime() - start) / 1e9),
        "report this with the output of bin/stencil doctor --json");
  }
}
