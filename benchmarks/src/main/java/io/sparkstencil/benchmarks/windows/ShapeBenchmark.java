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
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Windows over series of many shapes, all over the same two tables, as rows of the suite {@code
 * sql}: Spark's operator, ours, and the RAPIDS Accelerator in a session that has it.
 */
@Command(
    name = "shapes",
    description = "SQL windows over series of many shapes, into the suite sql.")
public final class ShapeBenchmark extends BenchmarkCommand {
  private static final String SPARK = "spark";
  private static final String RAPIDS = "rapids";

  /** What RAPIDS is compared with beside Spark, also by rows of earlier runs. */
  private static final List<String> ENGINES = List.of("cpu", "gpu");

  @Option(names = "--data", required = true, description = "The folder for the tables.")
  private Path data;

  @Option(names = "--master", defaultValue = "local[2]", description = "Spark's.")
  private String master;

  @Option(names = "--rows", defaultValue = "8000000", description = "Rows of a table.")
  private long rows;

  @Option(
      names = "--spark-rows",
      description =
          "Rows of tables of their own, over which Spark's operator is measured, subjects are warmed up and results"
              + " are compared; all if not given. Ratios with Spark are of rows per second.")
  private Long sparkRows;

  @Option(names = "--series", defaultValue = "1024", description = "Series of most shapes.")
  private int series;

  @Option(names = "--files", defaultValue = "16", description = "Files of a table.")
  private int files;

  @Option(names = "--repeats", defaultValue = "3", description = "Turns.")
  private int repeats;

  @Option(names = "--spark-repeats", description = "Turns of Spark's; all if not given.")
  private Integer sparkRepeats;

  @Option(names = "--radii", split = ",", defaultValue = "8", description = "Radii.")
  private List<Integer> radii;

  @Option(
      names = "--shapes",
      split = ",",
      defaultValue = "avg,many,few,skewed,five,frames,bigint,decimal,string",
      description =
          "Any of ${COMPLETION-CANDIDATES}: a mean over the series, over series of 64 rows, over 16 series, over"
              + " series of which one has nine of ten rows; five functions, a function over five frames; a mean of"
              + " bigint, of decimal(15,2); with texts of 20 bytes beside.")
  private List<WindowShape> shapes;

  @Option(
      names = "--work",
      split = ",",
      defaultValue = "partitioned,shuffled",
      description = "How rows come: by time, as from a feed; in random order.")
  private List<Work> works;

  @Option(
      names = "--subjects",
      split = ",",
      defaultValue = "spark,cpu",
      description =
          "Any of spark, rapids (what a plugin makes of it), sql (the engine that is chosen), rows (the same without"
              + " columns between the scan and the result), cpu, gpu. All are compared with Spark, or the"
              + " first without it, and RAPIDS with the engines too.")
  private List<String> subjects;

  private SparkSession plain;
  private SparkSession extended;
  private ShapeTables tables;
  private List<BenchmarkRow> before;

  /** How rows come. The names are those in the names of rows. */
  private enum Work {
    PARTITIONED,
    SHUFFLED;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  protected String suite() {
    return "sql";
  }

  @Override
  protected void measure() throws IOException {
    sparkRows = sparkRows == null ? Long.valueOf(rows) : sparkRows;
    sparkRepeats = sparkRepeats == null ? Integer.valueOf(repeats) : sparkRepeats;
    tables = new ShapeTables(data, series, files);
    before = earlier();
    plain = LocalSpark.session("shapes-benchmark", master).getOrCreate();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    extended =
        LocalSpark.session("shapes-benchmark", master)
            .withExtensions(new StencilExtensions())
            .getOrCreate();
    for (Work work : works) {
      onPlainSpark();
      tables.write(plain, rows, work == Work.SHUFFLED);
      tables.write(plain, sparkRows, work == Work.SHUFFLED);
      shapes.forEach(shape -> radii.forEach(radius -> measure(shape, work, radius)));
    }
    plain.stop();
  }

  private void onPlainSpark() {
    plain.conf().set("spark.stencil.sql.enabled", false);
    plain.conf().set("spark.rapids.sql.enabled", false);
  }

  private Dataset<Row> query(String subject, long ofRows, WindowShape shape, Work work, int k) {
    boolean ours = !List.of(SPARK, RAPIDS).contains(subject);
    SparkSession session = ours ? extended : plain;
    onPlainSpark();
    session.conf().set("spark.rapids.sql.enabled", subject.equals(RAPIDS));
    session.conf().set("spark.stencil.sql.enabled", ours);
    session.conf().set("spark.stencil.sql.columnar.enabled", !subject.equals("rows"));
    session.conf().set("spark.stencil.engine", ENGINES.contains(subject) ? subject : "auto");
    tables.read(session, ofRows, work == Work.SHUFFLED).createOrReplaceTempView("cells");
    return session.sql(shape.sql(k));
  }

  /** Returns how many rows a subject is measured with. */
  private long rowsOf(String subject) {
    return subject.equals(SPARK) ? sparkRows : rows;
  }

  private void measure(WindowShape shape, Work work, int radius) {
    Map<String, Long> digests = new LinkedHashMap<>();
    for (String subject : subjects) { // which warms up as well
      Dataset<Row> few = query(subject, sparkRows, shape, work, radius);
      digests.put(subject, LocalSpark.digest(few, String.join(", ", few.columns())));
    }
    Map<String, List<Double>> seconds =
        Turns.measure(
            subjects,
            0,
            subject -> subject.equals(SPARK) ? sparkRepeats : repeats,
            subject -> LocalSpark.seconds(query(subject, rowsOf(subject), shape, work, radius)));
    String name = "sql/%s/%s/%d/k=%d".formatted(shape, work, rows, radius);
    seconds.forEach(
        (subject, measured) -> {
          double rate = rowsOf(subject) / Quantiles.median(measured);
          String note = note(subject, rate);
          boolean equal = digests.get(subject).equals(digests.get(SPARK));
          for (String peer : peers(subject)) {
            rate(name, peer, seconds)
                .ifPresent(
                    theirs ->
                        add(
                            BenchmarkRow.of(
                                name, subject, peer, measured, "s", rate / theirs, equal, note)));
          }
        });
  }

  private Set<String> peers(String subject) {
    Set<String> peers = new LinkedHashSet<>();
    peers.add(subjects.contains(SPARK) ? SPARK : subjects.get(0));
    peers.addAll(subject.equals(RAPIDS) ? ENGINES : List.of());
    return peers;
  }

  /** Returns the rows per second of a subject, of now or, if it is ours, from an earlier run. */
  private OptionalDouble rate(String name, String subject, Map<String, List<Double>> seconds) {
    if (seconds.containsKey(subject)) {
      return OptionalDouble.of(rowsOf(subject) / Quantiles.median(seconds.get(subject)));
    }
    return before.stream()
        .filter(row -> ENGINES.contains(subject))
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
