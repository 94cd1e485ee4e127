/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.spark.StencilExtensions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures queries over {@link ShapeTables}: Spark's operators, ours, and the RAPIDS Accelerator in
 * a session that has it, in turns in one process.
 */
abstract class TableBenchmark extends BenchmarkCommand {
  static final String SPARK = "spark";
  static final String RAPIDS = "rapids";

  /** Subjects of a named engine. */
  static final List<String> ENGINES = List.of("cpu", "gpu");

  private static final List<String> SUBJECTS = List.of(SPARK, RAPIDS, "sql", "cpu", "gpu");

  @Spec private CommandSpec command;

  @Option(names = "--data", required = true, description = "The folder for the tables.")
  private Path data;

  @Option(names = "--master", defaultValue = "local[2]", description = "Spark's.")
  private String master;

  @Option(names = "--rows", defaultValue = "8000000", description = "Rows of a table.")
  private long rows;

  @Option(
      names = "--spark-rows",
      description =
          "Rows of tables of their own, over which Spark's operators are measured, subjects are warmed up and results"
              + " are compared; all if not given. Ratios with Spark are of rows per second.")
  private Long sparkRows;

  @Option(names = "--series", defaultValue = "1024", description = "Series of most queries.")
  private int series;

  @Option(names = "--files", defaultValue = "16", description = "Files of a table.")
  private int files;

  @Option(
      names = "--warm-ups",
      defaultValue = "0",
      description = "Turns before those that count, over all rows.")
  private int warmUps;

  @Option(names = "--repeats", defaultValue = "3", description = "Turns.")
  private int repeats;

  @Option(names = "--spark-repeats", description = "Turns of Spark's; all if not given.")
  private Integer sparkRepeats;

  @Option(
      names = "--subjects",
      split = ",",
      defaultValue = "spark,sql",
      description =
          "Any of spark, rapids (what a plugin makes of it), sql (the engine that is chosen), cpu, gpu."
              + " All are compared with Spark, or the first without it.")
  private List<String> subjects;

  private SparkSession plain;
  private SparkSession extended;
  private ShapeTables tables;
  private List<BenchmarkRow> before;

  /** Calls {@link #measure(String, String)} for each query. */
  abstract void measureQueries();

  /** Returns what a subject is compared with beside Spark, also as measured in an earlier run. */
  List<String> otherPeers(String subject) {
    return List.of();
  }

  @Override
  protected final void measure() throws IOException {
    requireKnownSubjects();
    sparkRows = sparkRows == null ? Long.valueOf(rows) : sparkRows;
    sparkRepeats = sparkRepeats == null ? Integer.valueOf(repeats) : sparkRepeats;
    tables = new ShapeTables(data, series, files);
    before = earlier();
    plain = LocalSpark.session("table-benchmark", master).getOrCreate();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    extended =
        LocalSpark.session("table-benchmark", master)
            .withExtensions(new StencilExtensions())
            .getOrCreate();
    try {
      measureQueries();
    } finally {
      plain.stop();
    }
  }

  private void requireKnownSubjects() {
    for (String subject : subjects) {
      if (!SUBJECTS.contains(subject)) {
        throw new ParameterException(
            command.commandLine(),
            "--subjects has \"%s\", but may only have %s; nothing was measured. Name some of these, with commas between"
                .formatted(subject, String.join(", ", SUBJECTS)));
      }
    }
  }

  /**
   * Measures a query.
   *
   * @param work its name in the names of rows, with {@code %d} for the number of rows
   * @param sql the query over the views {@code cells}, by time, {@code shuffled}, in random order,
   *     and {@code stations}, of which each has a series
   */
  final void measure(String work, String sql) {
    Map<String, Long> digests = new LinkedHashMap<>();
    for (String subject : subjects) { // which warms up as well
      Dataset<Row> few = query(subject, sparkRows, sql);
      digests.put(subject, LocalSpark.digest(few, String.join(", ", few.columns())));
    }
    Map<String, List<Double>> seconds =
        Turns.measure(
            subjects,
            warmUps,
            subject -> subject.equals(SPARK) ? sparkRepeats : repeats,
            subject -> LocalSpark.seconds(query(subject, rowsOf(subject), sql)));
    String name = work.formatted(rows);
    seconds.forEach(
        (subject, measured) -> {
          double rate = rowsOf(subject) / Quantiles.median(measured);
          boolean equal = digests.get(subject).equals(digests.get(SPARK));
          for (String peer : peers(subject)) {
            rate(name, peer, seconds)
                .ifPresent(
                    theirs ->
                        add(
                            BenchmarkRow.of(
                                name,
                                subject,
                                peer,
                                measured,
                                "s",
                                rate / theirs,
                                equal,
                                note(subject, rate))));
          }
        });
  }

  private Dataset<Row> query(String subject, long ofRows, String sql) {
    boolean ours = !List.of(SPARK, RAPIDS).contains(subject);
    SparkSession session = ours ? extended : plain;
    plain.conf().set("spark.rapids.sql.enabled", false);
    view(session, "cells", ofRows, false, sql);
    view(session, "shuffled", ofRows, true, sql);
    session
        .range(series)
        .selectExpr("cast(id as int) as series", "concat('region ', id % 8) as region")
        .createOrReplaceTempView("stations");
    session.conf().set("spark.rapids.sql.enabled", subject.equals(RAPIDS));
    session.conf().set("spark.stencil.sql.enabled", ours);
    session.conf().set("spark.stencil.engine", ENGINES.contains(subject) ? subject : "auto");
    return session.sql(sql);
  }

  private void view(SparkSession session, String view, long ofRows, boolean random, String sql) {
    if (sql.contains(" " + view)) {
      tables.write(plain, ofRows, random);
      tables.read(session, ofRows, random).createOrReplaceTempView(view);
    }
  }

  /** Returns how many rows a subject is measured with. */
  private long rowsOf(String subject) {
    return subject.equals(SPARK) ? sparkRows : rows;
  }

  private Set<String> peers(String subject) {
    Set<String> peers = new LinkedHashSet<>();
    peers.add(subjects.contains(SPARK) ? SPARK : subjects.get(0));
    peers.addAll(otherPeers(subject));
    return peers;
  }

  /** Returns the rows per second of a subject, of now or, if it is ours, from an earlier run. */
  private OptionalDouble rate(String name, String subject, Map<String, List<Double>> seconds) {
    if (seconds.containsKey(subject)) {
      return OptionalDouble.of(rowsOf(subject) / Quantiles.median(seconds.get(subject)));
    }
    return before.stream()
        .filter(row -> row.name().equals(name) && row.subject().equals(subject))
        .mapToDouble(row -> rows / row.value())
        .findFirst();
  }

  private String note(String subject, double rate) {
    return "%s, %.1f M rows/s%s%s"
        .formatted(
            master,
            rate / 1e6,
            rowsOf(subject) == rows ? "" : ", %d rows".formatted(rowsOf(subject)),
            sparkRows == rows || !subjects.contains(SPARK)
                ? ""
                : "; results compared over %d rows".formatted(sparkRows));
  }
}
