/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.windows;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.rand;
import static org.apache.spark.sql.functions.xxhash64;

import com.sun.management.OperatingSystemMXBean;
import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.MachineFacts;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.spark.StencilExtensions;
import io.sparkstencil.spark.StencilQuery;
import io.sparkstencil.spark.Stencils;
import io.sparkstencil.spark.catalyst.inputs.StencilRun;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * SQL windows over Parquet, Spark's operator against ours in one process, and in processes of their
 * own whatever a plugin makes of them.
 *
 * <pre>SqlBenchmark RESULTS_FOLDER MACHINE_NAME COMMIT DATA_FOLDER [KEY=VALUE..]</pre>
 *
 * <p>Keys: {@code master}, {@code rows}, {@code series}, {@code repeats} and {@code peerRepeats},
 * {@code k} (radii, by commas), {@code work} (of partitioned, unpartitioned and ordered, whose rows
 * come by time as from a feed, shuffled and unsorted, whose rows come in random order, and known
 * and declared, whose rows are in a cached table that Spark has sorted, so that it knows their
 * order, and, for the latter, that the query declares to be in order), {@code subjects} (of spark,
 * rapids, sql, cpu, gpu, api), {@code against} (a subject of these or of the results that are
 * there), {@code function}, {@code check} (rows by whose results subjects are compared), {@code
 * warm} (false measures the first run). Subject sql is the unchanged query with the engine that is
 * chosen for it; cpu and gpu name the engine; api is the same window by our Dataset API.
 */
public final class SqlBenchmark {
  private final SparkSession plain;
  private final SparkSession extended;
  private final Path data;
  private final Map<String, String> options;
  private final long rows;
  private final int series;
  private final List<BenchmarkRow> before = new ArrayList<>();
  private volatile StencilRun run; // of the last query

  private SqlBenchmark(
      SparkSession plain, SparkSession extended, Path data, Map<String, String> options) {
    this.plain = plain;
    this.extended = extended;
    this.data = data;
    this.options = options;
    this.rows = Long.parseLong(option("rows", "8000000"));
    this.series = Integer.parseInt(option("series", "256"));
  }

  private String option(String key, String otherwise) {
    return options.getOrDefault(key, otherwise);
  }

  /** Measures and writes results. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 4) {
      System.err.println(
          "usage: SqlBenchmark RESULTS_FOLDER MACHINE_NAME COMMIT DATA_FOLDER [KEY=VALUE..]");
      System.exit(2);
    }
    Map<String, String> options = new HashMap<>();
    for (String argument : Arrays.asList(arguments).subList(4, arguments.length)) {
      options.put(
          argument.substring(0, argument.indexOf('=')),
          argument.substring(argument.indexOf('=') + 1));
    }
    SparkSession plain = session(options).getOrCreate();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    SparkSession extended = session(options).withExtensions(new StencilExtensions()).getOrCreate();
    SqlBenchmark benchmark = new SqlBenchmark(plain, extended, Path.of(arguments[3]), options);
    benchmark.listen();
    benchmark.write();
    Path results = Path.of(arguments[0], arguments[1], "sql.json");
    if (Files.exists(results)) {
      benchmark.before.addAll(BenchmarkResults.read(results).rows());
    }
    List<BenchmarkRow> measured = new ArrayList<>();
    for (String work : benchmark.option("work", "partitioned,unpartitioned,ordered").split(",")) {
      boolean first = true;
      for (String radius : benchmark.option("k", "8,32").split(",")) {
        measured.addAll(benchmark.measure(work, Integer.parseInt(radius), first));
        first = false;
      }
    }
    BenchmarkResults written =
        new BenchmarkResults(
            MachineFacts.ofThisMachine(arguments[1]),
            arguments[2],
            LocalDate.now(ZoneOffset.UTC).toString(),
            measured);
    Path json = written.write(Path.of(arguments[0]), "sql");
    System.out.println(BenchmarkResults.read(json).markdown("sql"));
    plain.stop();
  }

  private static SparkSession.Builder session(Map<String, String> options) {
    return SparkSession.builder()
        .master(options.getOrDefault("master", "local[2]"))
        .appName("sql-benchmark")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.adaptive.enabled", options.getOrDefault("adaptive", "true"));
  }

  private void listen() {
    plain
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onOtherEvent(SparkListenerEvent event) {
                if (event instanceof StencilRun started) {
                  run = started;
                }
              }
            });
  }

  private String file(String name) {
    return data.resolve("%s-%d-%d".formatted(name, rows, name.equals("feed") ? series : 0))
        .toString();
  }

  /** Writes what is measured, unless it is there. */
  private void write() {
    int files = Integer.parseInt(option("files", "16"));
    Dataset<Row> range = plain.range(0, rows, 1, files).toDF();
    writeOnce(
        "feed",
        range.select(
            expr("cast(id %% %d as int)".formatted(series)).as("series"),
            col("id").multiply(10).as("t"),
            rand(7).multiply(100).as("v")));
    if (option("work", "").matches(".*(shuffled|unsorted).*")) {
      writeOnce(
          "random", plain.read().parquet(file("feed")).orderBy(xxhash64(col("t"))).coalesce(files));
    }
  }

  private void writeOnce(String name, Dataset<Row> table) {
    if (!Files.exists(Path.of(file(name), "_SUCCESS"))) {
      table.write().mode("overwrite").parquet(file(name));
    }
  }

  private Dataset<Row> query(String work, String subject, int radius, long most) {
    boolean ours = List.of("sql", "cpu", "gpu").contains(subject);
    SparkSession session = ours || subject.equals("api") ? extended : plain;
    session.conf().set("spark.stencil.sql.enabled", session == extended);
    session.conf().set("spark.stencil.engine", ours && !subject.equals("sql") ? subject : "auto");
    boolean random = work.equals("shuffled") || work.equals("unsorted");
    Dataset<Row> input = session.read().parquet(file(random ? "random" : "feed"));
    boolean declared = work.equals("ordered") || work.equals("declared");
    boolean sorted = work.equals("known") || work.equals("declared");
    input = most < rows ? input.where(col("t").lt(most * 10)) : input;
    input = sorted ? input.orderBy("t").cache() : input;
    boolean keys = work.equals("partitioned") || work.equals("shuffled");
    if (subject.equals("api") || (ours && declared)) {
      StencilQuery query = Stencils.over(input).orderBy("t");
      query = keys ? query.partitionBy("series") : query;
      query = declared ? query.ordered() : query;
      return query.mean("v", radius, "m").toDataset();
    }
    input.createOrReplaceTempView("cells");
    return session.sql(
        "select *, %s(v) over (%s order by t rows between %d preceding and %d following) m from cells"
            .formatted(
                option("function", "avg"), keys ? "partition by series" : "", radius, radius));
  }

  /** What was measured of a subject. */
  private final class Measured {
    private final double[] seconds;
    private double stencilSeconds;
    private int done;

    Measured(int repeats) {
      this.seconds = new double[repeats];
    }

    void measure(String work, String subject, int radius) {
      if (done == seconds.length) {
        return;
      }
      run = null;
      long before = cpuNanos();
      seconds[done] = seconds(query(work, subject, radius, rows));
      System.out.printf(
          "%s k=%d %s: %.3f s, %.3f s of CPU%n",
          work, radius, subject, seconds[done], (cpuNanos() - before) / 1e9);
      stencilSeconds = run == null ? 0 : run.counter("stencilTime") / 1e9;
      done++;
    }

    double median() {
      return Quantiles.median(seconds);
    }
  }

  private List<BenchmarkRow> measure(String work, int radius, boolean first) {
    int repeats = Integer.parseInt(option("repeats", "3"));
    int peerRepeats = Integer.parseInt(option("peerRepeats", "" + repeats));
    Map<String, Measured> measured = new LinkedHashMap<>();
    for (String subject : subjects()) {
      boolean peer = subject.equals("spark");
      // A peer that takes a minute is measured once, warmed by what ran before.
      measured.put(subject, new Measured(peer ? (radius > 100 ? 1 : peerRepeats) : repeats));
      if ((first || !peer) && option("warm", "true").equals("true")) {
        seconds(query(work, subject, radius, peer ? rows / 8 : rows));
      }
    }
    for (int i = 0; i < Math.max(repeats, peerRepeats); i++) {
      measured.forEach((subject, each) -> each.measure(work, subject, radius));
    }
    long checkedRows = Long.parseLong(option("check", "" + rows));
    // Where a plugin computes what is called Spark's, there is nothing to compare with.
    boolean checkable = !measured.containsKey("rapids");
    long expected = checkable ? digest(query(work, "spark", radius, checkedRows)) : 0;
    List<BenchmarkRow> made = new ArrayList<>();
    for (String subject : subjects()) {
      boolean equal = checkable && digest(query(work, subject, radius, checkedRows)) == expected;
      made.add(row(work, radius, subject, measured, equal));
    }
    return made;
  }

  private String[] subjects() {
    return option("subjects", "spark,sql").split(",");
  }

  private BenchmarkRow row(
      String work, int radius, String subject, Map<String, Measured> measured, boolean checked) {
    String name = "sql/%s/%s/%d/k=%d".formatted(option("function", "avg"), work, rows, radius);
    String against = option("against", subjects()[0]);
    double[] ours = measured.get(subject).seconds;
    double median = measured.get(subject).median();
    double theirs =
        measured.containsKey(against) ? measured.get(against).median() : earlier(name, against);
    String note = "%s, %.1f M rows/s".formatted(option("master", "local[2]"), rows / median / 1e6);
    long checkedRows = Long.parseLong(option("check", "" + rows));
    if (checked && checkedRows < rows) {
      note += "; results compared over %d rows".formatted(checkedRows);
    }
    double alone = measured.get(subject).stencilSeconds;
    if (alone > 0) {
      note +=
          "; stencils alone %.3f s of all tasks' time, %.0f M rows/s for each core"
              .formatted(alone, rows / alone / 1e6);
    }
    return new BenchmarkRow(
        name,
        subject,
        against,
        median,
        "s",
        theirs / median,
        Quantiles.spread(ours),
        ours.length,
        checked,
        note);
  }

  /** Returns a median from the results that are there, or 0, so that the ratio is 0 as well. */
  private double earlier(String name, String subject) {
    return before.stream()
        .filter(row -> row.name().equals(name) && row.subject().equals(subject))
        .mapToDouble(BenchmarkRow::value)
        .findFirst()
        .orElse(0);
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static double seconds(Dataset<Row> query) {
    long start = System.nanoTime();
    query.write().format("noop").mode("overwrite").save();
    return (System.nanoTime() - start) / 1e9;
  }

  private static long digest(Dataset<Row> query) {
    return query.selectExpr("bit_xor(xxhash64(series, t, v, m))").first().getLong(0);
  }
}
