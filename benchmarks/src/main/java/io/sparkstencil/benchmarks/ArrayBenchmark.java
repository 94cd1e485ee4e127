/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;

/**
 * Times the SQL functions on an array column, from a cached table and from Parquet into Spark's
 * noop sink: against a projection that only copies the column, and against the same written with
 * Spark's {@code transform} and {@code aggregate}, on a sample of the rows because of its speed.
 *
 * <pre>
 *   ArrayBenchmark MACHINE RESULTS-FOLDER COMMIT [ROWS] [LENGTH] [RADII] [ENGINES] [REPEATS] [MASTER]
 * </pre>
 */
public final class ArrayBenchmark {
  private static final int WARM_UPS = 2;
  private static final int SAMPLE_ROWS = 200;
  private static final int SAMPLE_REPEATS = 3;
  private static final int CHECKED_ROWS = 20;

  /** A query, how many cells it reads, and its times. */
  private static final class Timed {
    private final String name;
    private final String subject;
    private final String sql;
    private final double cells;
    private final int repeats;
    private final String engine;
    private final List<Double> seconds = new ArrayList<>();
    private boolean checked;

    private Timed(
        String name, String subject, String sql, double cells, int repeats, String engine) {
      this.name = name;
      this.subject = subject;
      this.sql = sql;
      this.cells = cells;
      this.repeats = repeats;
      this.engine = engine;
    }

    private double at(double quantile) {
      double[] sorted = seconds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      return sorted[(int) Math.round(quantile * (sorted.length - 1))];
    }

    private double gigaCellsPerSecond() {
      return cells / at(0.5) * 1e-9;
    }

    private BenchmarkRow against(Timed peer, String peerName, String note) {
      return new BenchmarkRow(
          name,
          subject,
          peerName,
          gigaCellsPerSecond(),
          "G cells/s",
          gigaCellsPerSecond() / peer.gigaCellsPerSecond(),
          (at(0.9) - at(0.1)) / at(0.5),
          seconds.size(),
          checked,
          note);
    }
  }

  private final SparkSession spark;
  private final int rows;
  private final int length;
  private final int[] radii;
  private final String[] engines;
  private final int repeats;
  private final List<BenchmarkRow> results = new ArrayList<>();

  private ArrayBenchmark(
      SparkSession spark, int rows, int length, int[] radii, String[] engines, int repeats) {
    this.spark = spark;
    this.rows = rows;
    this.length = length;
    this.radii = radii;
    this.engines = engines;
    this.repeats = repeats;
  }

  /** Measures and writes suite {@code arrays}. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 3) {
      System.err.println(
          "usage: ArrayBenchmark MACHINE RESULTS-FOLDER COMMIT [ROWS] [LENGTH] [RADII] [ENGINES]"
              + " [REPEATS] [MASTER]");
      System.exit(2);
    }
    String[] all = Arrays.copyOf(arguments, 9);
    String[] defaults = {"20000", "10000", "8,32", "cpu", "9", "local[2]"};
    for (int i = arguments.length; i < all.length; i++) {
      all[i] = defaults[i - 3];
    }
    SparkSession spark =
        SparkSession.builder()
            .master(all[8])
            .config("spark.ui.enabled", false)
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            // Cached batches of ten thousand such rows would take arrays of half a gigabyte.
            .config("spark.sql.inMemoryColumnarStorage.batchSize", 256)
            .getOrCreate();
    spark.sparkContext().setLogLevel("WARN");
    ArrayBenchmark benchmark =
        new ArrayBenchmark(
            spark,
            Integer.parseInt(all[3]),
            Integer.parseInt(all[4]),
            Arrays.stream(all[5].split(",")).mapToInt(Integer::parseInt).toArray(),
            all[6].split(","),
            Integer.parseInt(all[7]));
    benchmark.run();
    BenchmarkResults written =
        new BenchmarkResults(
            MachineFacts.ofThisMachine(all[0], "", ""),
            all[2],
            LocalDate.now(ZoneOffset.UTC).toString(),
            benchmark.results);
    written.write(Path.of(all[1]), "arrays");
    System.out.println(written.markdown("arrays"));
    spark.stop();
  }

  private void run() throws IOException {
    int cells = length;
    Dataset<Row> made =
        spark
            .range(0, rows, 1, 16)
            .map((MapFunction<Long, Trace>) id -> Trace.of(id, cells), Encoders.bean(Trace.class))
            .toDF();
    Path folder = Files.createTempDirectory("arrays-benchmark");
    String file = folder.resolve("traces").toString();
    Dataset<Row> cached = made.persist(StorageLevel.MEMORY_ONLY());
    cached.write().parquet(file);
    cached.createOrReplaceTempView("traces");
    spark
        .sql("SELECT * FROM traces LIMIT " + SAMPLE_ROWS)
        .repartition(2)
        .cache()
        .createOrReplaceTempView("sample");
    measure("cached", "", true);
    cached.unpersist(true);
    spark.read().parquet(file).createOrReplaceTempView("traces");
    measure("Parquet", "/source=parquet", false);
    deleteTree(folder);
  }

  private static void deleteTree(Path folder) throws IOException {
    try (var paths = Files.walk(folder)) {
      for (Path path : paths.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** Measures all queries in turns, so that what disturbs the machine disturbs all of them. */
  private void measure(String source, String suffix, boolean withTransform) {
    double cells = (double) rows * length;
    Timed copy =
        new Timed("arrays/copy/f32" + suffix, "copy", "SELECT a FROM traces", cells, repeats, "");
    List<Timed> ours = new ArrayList<>();
    List<Timed> transforms = new ArrayList<>();
    for (int k : radii) {
      double sample = (double) Math.min(SAMPLE_ROWS, rows) * length;
      String name = "arrays/%s/f32/k=" + k + suffix;
      Timed transform =
          new Timed(
              name.formatted("mean"), "transform", transformOf(k), sample, SAMPLE_REPEATS, "");
      for (String engine : engines) {
        for (String function : List.of("mean", "min")) {
          String sql = "SELECT stencil_%s(a, %d) AS r FROM traces".formatted(function, k);
          ours.add(new Timed(name.formatted(function), engine, sql, cells, repeats, engine));
          transforms.add(transform);
        }
        String both =
            "SELECT id, stencil_mean(a, %d) AS r, stencil_max(a, %d) AS x FROM traces"
                .formatted(k, k);
        ours.add(new Timed(name.formatted("mean+max"), engine, both, cells, repeats, engine));
        transforms.add(transform);
      }
    }
    List<Timed> all = new ArrayList<>(ours);
    all.add(0, copy);
    if (withTransform) {
      transforms.stream().distinct().forEach(all::add);
    }
    for (int turn = 0; turn < WARM_UPS + repeats; turn++) {
      for (Timed query : all) {
        time(query, turn);
      }
    }
    ours.forEach(this::check);
    report(source, copy, ours, transforms);
  }

  private void time(Timed query, int turn) {
    int warmUps = query.repeats == SAMPLE_REPEATS ? 1 : WARM_UPS;
    if (turn >= warmUps + query.repeats) {
      return;
    }
    use(query.engine);
    long start = System.nanoTime();
    spark.sql(query.sql).write().format("noop").mode(SaveMode.Overwrite).save();
    double seconds = (System.nanoTime() - start) * 1e-9;
    if (turn >= warmUps) {
      query.seconds.add(seconds);
    }
  }

  private void use(String engine) {
    spark.conf().set("spark.stencil.engine", engine.isEmpty() ? "auto" : engine);
  }

  private static String transformOf(int k) {
    return """
    SELECT transform(
      sequence(1, size(a) - 2 * %1$d),
      i -> aggregate(slice(a, i, 2 * %1$d + 1), 0F, (s, x) -> s + x) / (2 * %1$d + 1)) AS r
    FROM sample
    """
        .formatted(k);
  }

  /** Compares some rows with a plain loop over the same values. */
  private void check(Timed query) {
    use(query.engine);
    int k = Integer.parseInt(query.name.replaceAll(".*k=(\\d+).*", "$1"));
    boolean mean = query.name.contains("mean");
    String sql = query.sql.replace("SELECT ", "SELECT a, ") + " LIMIT " + CHECKED_ROWS;
    for (Row row : spark.sql(sql).collectAsList()) {
      List<Float> cells = row.getList(0);
      List<Float> found = row.getList(row.fieldIndex("r"));
      for (int i = 0; i < cells.size() - 2 * k; i++) {
        float expected = mean ? 0 : Float.POSITIVE_INFINITY;
        for (int j = i; j <= i + 2 * k; j++) {
          expected = mean ? expected + cells.get(j) : Math.min(expected, cells.get(j));
        }
        if (found.get(i) != (mean ? expected / (2 * k + 1) : expected)) {
          throw new IllegalStateException(
              "%s: result %d is %s, not %s".formatted(query.name, i, found.get(i), expected));
        }
      }
    }
    query.checked = true;
  }

  private void report(String source, Timed copy, List<Timed> ours, List<Timed> transforms) {
    String note = "%d arrays of %d floats, %s source, noop sink".formatted(rows, length, source);
    results.add(copy.against(copy, "copy", note));
    for (int i = 0; i < ours.size(); i++) {
      results.add(ours.get(i).against(copy, "copy", note));
      if (ours.get(i).name.contains("/mean/") && !transforms.get(i).seconds.isEmpty()) {
        Timed transform = transforms.get(i);
        String sample =
            "; transform/aggregate timed on %d cached arrays and scaled by cells"
                .formatted(SAMPLE_ROWS);
        results.add(ours.get(i).against(transform, "transform", note + sample));
        results.add(transform.against(copy, "copy", "%d cached arrays".formatted(SAMPLE_ROWS)));
      }
    }
  }
}
