/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.MachineFacts;
import io.sparkstencil.model.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;

/**
 * Times the SQL functions on an array column, from a cached table and from Parquet into Spark's
 * noop sink: against a projection that only copies the column, against what the link to the GPU can
 * carry, and against the same written with Spark's {@code transform} and {@code aggregate}, on a
 * sample of the rows because of its speed.
 *
 * <pre>
 *   ArrayBenchmark MACHINE RESULTS-FOLDER COMMIT [NAME=VALUE ...]
 * </pre>
 *
 * The names and their defaults: rows=20000 length=10000 partitions=16 parquetRows=20000 radii=8,32
 * functions=mean,min,mean+max,weighted steps=64 types=f32,f64 engines=cpu repeats=9 batchBytes=2m
 * master=local[2]. No rows or steps, no such measurement. Steps count each cell as often; there the
 * last engine is what the others are compared with.
 */
public final class ArrayBenchmark {
  private static final String COPY = "copy";
  private static final String TRANSFORM = "transform";
  private static final int WARM_UPS = 2;
  private static final int SAMPLE_ROWS = 200;
  private static final int SAMPLE_REPEATS = 3;
  private static final int CHECKED_ROWS = 20;
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("rows", "20000"),
          Map.entry("length", "10000"),
          Map.entry("partitions", "16"),
          Map.entry("parquetRows", "20000"),
          Map.entry("radii", "8,32"),
          Map.entry("functions", "mean,min,mean+max,weighted"),
          Map.entry("steps", "64"),
          Map.entry("types", "f32,f64"),
          Map.entry("engines", "cpu"),
          Map.entry("repeats", "9"),
          Map.entry("batchBytes", "2m"),
          Map.entry("master", "local[2]"));

  private final SparkSession spark;
  private final Map<String, String> settings;
  private final TaskTimes tasks = new TaskTimes();
  private final List<BenchmarkRow> results = new ArrayList<>();
  private final double linkBytesPerSecond; // each way, 0 without a GPU

  private ArrayBenchmark(
      SparkSession spark, Map<String, String> settings, double linkBytesPerSecond) {
    this.spark = spark;
    this.settings = settings;
    this.linkBytesPerSecond = linkBytesPerSecond;
  }

  /** Measures and writes suite {@code arrays}. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 3) {
      System.err.println(
          "usage: ArrayBenchmark MACHINE RESULTS-FOLDER COMMIT [NAME=VALUE ...], names "
              + DEFAULTS.keySet());
      System.exit(2);
    }
    Map<String, String> settings = new HashMap<>(DEFAULTS);
    for (String setting : Arrays.asList(arguments).subList(3, arguments.length)) {
      String[] parts = setting.split("=", 2);
      if (parts.length < 2 || settings.put(parts[0], parts[1]) == null) {
        throw new IllegalArgumentException(
            "\"%s\" is no NAME=VALUE of %s".formatted(setting, DEFAULTS.keySet()));
      }
    }
    boolean gpu = settings.get("engines").contains("gpu");
    SparkSession spark =
        SparkSession.builder()
            .master(settings.get("master"))
            .config("spark.ui.enabled", false)
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.stencil.fallback", false)
            .config("spark.stencil.gpu.batchBytes", settings.get("batchBytes"))
            // Cached batches of ten thousand such rows would take arrays of half a gigabyte.
            .config("spark.sql.inMemoryColumnarStorage.batchSize", 256)
            .getOrCreate();
    spark.sparkContext().setLogLevel("WARN");
    ArrayBenchmark benchmark =
        new ArrayBenchmark(spark, settings, gpu ? LinkLimit.bytesPerSecondEachWay() : 0);
    spark.sparkContext().addSparkListener(benchmark.tasks);
    benchmark.run();
    BenchmarkResults written =
        new BenchmarkResults(
            MachineFacts.ofThisMachine(arguments[0]),
            arguments[2],
            LocalDate.now(ZoneOffset.UTC).toString(),
            benchmark.results);
    written.write(Path.of(arguments[1]), "arrays");
    System.out.println(written.markdown("arrays"));
    spark.stop();
  }

  private int setting(String name) {
    return Integer.parseInt(settings.get(name));
  }

  private void run() throws IOException {
    for (String type : settings.get("types").split(",")) {
      ElementType elements = ElementType.valueOf(type.toUpperCase(Locale.ROOT));
      if (setting("rows") > 0) {
        measureCached(elements);
      }
      if (setting("parquetRows") > 0 && elements == ElementType.F32) {
        measureParquet(elements);
      }
    }
  }

  private void measureCached(ElementType type) {
    Dataset<Row> cached = made(type, setting("rows")).persist(StorageLevel.MEMORY_ONLY());
    cached.createOrReplaceTempView("traces");
    spark
        .sql("SELECT * FROM traces LIMIT " + SAMPLE_ROWS)
        .repartition(setting("partitions"))
        .cache()
        .createOrReplaceTempView("sample");
    measure("cached", type, true);
    spark.catalog().uncacheTable("sample");
    cached.unpersist(true);
  }

  private Dataset<Row> made(ElementType type, int rows) {
    int cells = setting("length");
    Dataset<Row> floats =
        spark
            .range(0, rows, 1, setting("partitions"))
            .map((MapFunction<Long, Trace>) id -> Trace.of(id, cells), Encoders.bean(Trace.class))
            .toDF();
    return type == ElementType.F32
        ? floats
        : floats.selectExpr("id", "CAST(a AS array<double>) AS a");
  }

  private void measureParquet(ElementType type) throws IOException {
    Path folder = Files.createTempDirectory("arrays-benchmark");
    String file = folder.resolve("traces").toString();
    made(type, setting("parquetRows")).write().parquet(file);
    spark.read().parquet(file).createOrReplaceTempView("traces");
    measure("Parquet", type, false);
    try (var paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** Measures all queries in turns, so that what disturbs the machine disturbs all of them. */
  private void measure(String source, ElementType type, boolean isCached) {
    int rows = setting(isCached ? "rows" : "parquetRows");
    double cells = (double) rows * setting("length");
    String suffix = isCached ? "" : "/source=parquet";
    String copyName = "arrays/copy/" + type.name().toLowerCase(Locale.ROOT) + suffix;
    ArrayQuery copy =
        new ArrayQuery(null, copyName, COPY, "SELECT a FROM traces", cells, setting("repeats"));
    Map<ArrayQuery, ArrayQuery> oursAgainstPeers = new LinkedHashMap<>();
    List<ArrayQuery> all = new ArrayList<>(List.of(copy));
    for (ArrayWork work : works(isCached)) {
      String name = work.name(type) + suffix;
      ArrayQuery peer = null;
      if (isCached && work.isMean()) {
        double sample = (double) Math.min(SAMPLE_ROWS, rows) * setting("length");
        String sql = transformOf(work.size(), type);
        peer = new ArrayQuery(work, name, TRANSFORM, sql, sample, SAMPLE_REPEATS);
        all.add(peer);
      }
      for (String engine : settings.get("engines").split(",")) {
        double done = cells * (work.isIterated() ? work.size() : 1);
        ArrayQuery ours = new ArrayQuery(work, name, engine, work.sql(), done, setting("repeats"));
        oursAgainstPeers.put(ours, peer);
        all.add(ours);
      }
    }
    for (int turn = 0; turn < WARM_UPS + setting("repeats"); turn++) {
      for (ArrayQuery query : all) {
        time(query, turn);
      }
    }
    oursAgainstPeers.keySet().forEach(query -> check(query, type));
    String note =
        "%d arrays of %d %s, %s source, noop sink, %s%s"
            .formatted(
                rows,
                setting("length"),
                type == ElementType.F32 ? "floats" : "doubles",
                source,
                settings.get("master"),
                hasGpu() ? ", %s per GPU batch".formatted(settings.get("batchBytes")) : "");
    report(note, type, copy, oursAgainstPeers);
  }

  private boolean hasGpu() {
    return linkBytesPerSecond > 0;
  }

  private List<ArrayWork> works(boolean isCached) {
    List<ArrayWork> works = new ArrayList<>();
    for (String radius : settings.get("radii").split(",")) {
      for (String function : settings.get("functions").split(",")) {
        works.add(new ArrayWork(function, Integer.parseInt(radius)));
      }
    }
    if (isCached && setting("steps") > 0) {
      works.add(new ArrayWork("iterate", setting("steps")));
    }
    return works;
  }

  private void time(ArrayQuery query, int turn) {
    int warmUps = query.repeats == SAMPLE_REPEATS ? 1 : WARM_UPS;
    if (turn >= warmUps + query.repeats) {
      return;
    }
    use(query);
    tasks.take(spark.sparkContext());
    long start = System.nanoTime();
    spark.sql(query.sql).write().format("noop").mode(SaveMode.Overwrite).save();
    double seconds = (System.nanoTime() - start) * 1e-9;
    if (turn >= warmUps) {
      query.took(seconds, tasks.take(spark.sparkContext()));
    }
  }

  private void use(ArrayQuery query) {
    spark.conf().set("spark.stencil.engine", query.isOurs() ? query.subject : "auto");
  }

  private static String transformOf(int k, ElementType type) {
    return """
    SELECT transform(
      sequence(1, size(a) - 2 * %1$d),
      i -> aggregate(slice(a, i, 2 * %1$d + 1), %2$s, (s, x) -> s + x) / (2 * %1$d + 1)) AS r
    FROM sample
    """
        .formatted(k, type == ElementType.F32 ? "0F" : "0D");
  }

  /** Compares some rows with plain loops over the same values. */
  private void check(ArrayQuery query, ElementType type) {
    use(query);
    String sql = query.sql.replace("SELECT ", "SELECT a, ") + " LIMIT " + CHECKED_ROWS;
    for (Row row : spark.sql(sql).collectAsList()) {
      double[] cells = row.<Number>getList(0).stream().mapToDouble(Number::doubleValue).toArray();
      for (String column : query.work.columns()) {
        List<Double> expected = query.work.expected(column, cells, type);
        List<Double> found =
            row.<Number>getList(row.fieldIndex(column)).stream().map(Number::doubleValue).toList();
        if (!found.equals(expected)) {
          throw new IllegalStateException(
              "%s on %s: %s is %s, not %s"
                  .formatted(query.name, query.subject, column, found, expected));
        }
      }
    }
    query.checked = true;
  }

  private void report(
      String note, ElementType type, ArrayQuery copy, Map<ArrayQuery, ArrayQuery> ours) {
    double copied = copy.gigaCellsPerSecond();
    results.add(copy.against(copy, note));
    double link = linkBytesPerSecond / type.bytes() * 1e-9;
    ours.forEach(
        (query, transform) -> {
          if (query.work.isIterated()) {
            ArrayQuery last = // of this work: what the others are compared with
                ours.keySet().stream()
                    .filter(other -> other.work.equals(query.work))
                    .reduce((one, next) -> next)
                    .orElseThrow();
            String where = note + query.timeNote(copied);
            results.add(query.against(last, where));
            return;
          }
          results.add(query.against(copy, note + query.timeNote(copied)));
          if (query.subject.equals("gpu")) {
            String limit =
                String.format(
                    Locale.ROOT,
                    "; the link carries %.1f GB/s each way at once",
                    linkBytesPerSecond * 1e-9);
            results.add(query.against(link, "link", note + limit));
          }
          if (transform != null && transform.isMeasured()) {
            String sample =
                "; transform/aggregate timed on %d cached arrays and scaled by cells"
                    .formatted(SAMPLE_ROWS);
            results.add(query.against(transform, note + sample));
            results.add(transform.against(copy, "%d cached arrays".formatted(SAMPLE_ROWS)));
          }
        });
  }
}
