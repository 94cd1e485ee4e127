/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.model.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.FileUtil;
import org.apache.spark.api.java.function.MapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Times the SQL functions on an array column, from a cached table and from Parquet into Spark's
 * noop sink: against a projection that only copies the column, against what the link to the GPU can
 * carry, and against the same written with Spark's {@code transform} and {@code aggregate}, on a
 * sample of the rows because of its speed.
 */
@Command(
    name = "arrays",
    description = "SQL functions on an array column, against copies, the link and Spark's own.")
public final class ArrayBenchmark extends BenchmarkCommand {
  private static final String COPY = "copy";
  private static final String TRANSFORM = "transform";
  private static final int WARM_UPS = 2;
  private static final int SAMPLE_ROWS = 200;
  private static final int SAMPLE_REPEATS = 3;
  private static final int CHECKED_ROWS = 20;

  @Option(names = "--rows", defaultValue = "20000", description = "Cached arrays; 0 for none.")
  private int rows;

  @Option(names = "--length", defaultValue = "10000", description = "Cells of an array.")
  private int length;

  @Option(names = "--partitions", defaultValue = "16", description = "Partitions of the arrays.")
  private int partitions;

  @Option(
      names = "--parquet-rows",
      defaultValue = "20000",
      description = "Arrays of floats in Parquet; 0 for none.")
  private int parquetRows;

  @Option(names = "--radii", split = ",", defaultValue = "8,32", description = "Radii.")
  private List<Integer> radii;

  @Option(
      names = "--functions",
      split = ",",
      defaultValue = "mean,min,mean+max,weighted",
      description = "Functions.")
  private List<String> functions;

  @Option(
      names = "--steps",
      defaultValue = "64",
      description =
          "Steps of an iterated stencil, which count each cell as often; 0 for none. The last engine is what the others are compared with.")
  private int steps;

  @Option(names = "--types", split = ",", defaultValue = "f32,f64", description = "Types of cells.")
  private List<ElementType> types;

  @Option(names = "--engines", split = ",", defaultValue = "cpu", description = "Engines.")
  private List<String> engines;

  @Option(names = "--repeats", defaultValue = "9", description = "Turns, after two that warm up.")
  private int repeats;

  @Option(names = "--batch-bytes", defaultValue = "2m", description = "Bytes of a GPU's batch.")
  private String batchBytes;

  @Option(names = "--master", defaultValue = "local[2]", description = "Spark's.")
  private String master;

  private final TaskTimes tasks = new TaskTimes();
  private final List<BenchmarkRow> results = new ArrayList<>();
  private SparkSession spark;
  private double linkBytesPerSecond; // each way, 0 without a GPU

  /** Creates the benchmark. */
  public ArrayBenchmark() {
    super("arrays");
  }

  @Override
  protected List<BenchmarkRow> measure() throws IOException {
    spark =
        LocalSpark.session("array-benchmark", master)
            .config("spark.stencil.fallback", false)
            .config("spark.stencil.gpu.batchBytes", batchBytes)
            // Cached batches of ten thousand such rows would take arrays of half a gigabyte.
            .config("spark.sql.inMemoryColumnarStorage.batchSize", 256)
            .getOrCreate();
    linkBytesPerSecond = engines.contains("gpu") ? LinkLimit.bytesPerSecondEachWay() : 0;
    spark.sparkContext().addSparkListener(tasks);
    for (ElementType type : types) {
      if (rows > 0) {
        measureCached(type);
      }
      if (parquetRows > 0 && type == ElementType.F32) {
        measureParquet(type);
      }
    }
    spark.stop();
    return results;
  }

  private void measureCached(ElementType type) {
    Dataset<Row> cached = made(type, rows).persist(StorageLevel.MEMORY_ONLY());
    cached.createOrReplaceTempView("traces");
    spark
        .sql("SELECT * FROM traces LIMIT " + SAMPLE_ROWS)
        .repartition(partitions)
        .cache()
        .createOrReplaceTempView("sample");
    measure("cached", type, true);
    spark.catalog().uncacheTable("sample");
    cached.unpersist(true);
  }

  private Dataset<Row> made(ElementType type, int count) {
    int cells = length; // the function must not hold this
    Dataset<Row> floats =
        spark
            .range(0, count, 1, partitions)
            .map((MapFunction<Long, Trace>) id -> Trace.of(id, cells), Encoders.bean(Trace.class))
            .toDF();
    return type == ElementType.F32
        ? floats
        : floats.selectExpr("id", "CAST(a AS array<double>) AS a");
  }

  private void measureParquet(ElementType type) throws IOException {
    Path folder = Files.createTempDirectory("arrays-benchmark");
    String file = folder.resolve("traces").toString();
    made(type, parquetRows).write().parquet(file);
    spark.read().parquet(file).createOrReplaceTempView("traces");
    measure("Parquet", type, false);
    FileUtil.fullyDelete(folder.toFile());
  }

  /** Measures all queries in turns, so that what disturbs the machine disturbs all of them. */
  private void measure(String source, ElementType type, boolean isCached) {
    int count = isCached ? rows : parquetRows;
    double cells = (double) count * length;
    String suffix = isCached ? "" : "/source=parquet";
    String copyName = "arrays/copy/" + type.name().toLowerCase(Locale.ROOT) + suffix;
    ArrayQuery copy = new ArrayQuery(null, copyName, COPY, "SELECT a FROM traces", cells, repeats);
    Map<ArrayQuery, ArrayQuery> oursAgainstPeers = new LinkedHashMap<>();
    List<ArrayQuery> all = new ArrayList<>(List.of(copy));
    for (ArrayWork work : works(isCached)) {
      String name = work.name(type) + suffix;
      ArrayQuery peer = null;
      if (isCached && work.isMean()) {
        double sample = (double) Math.min(SAMPLE_ROWS, count) * length;
        String sql = transformOf(work.size(), type);
        peer = new ArrayQuery(work, name, TRANSFORM, sql, sample, SAMPLE_REPEATS);
        all.add(peer);
      }
      for (String engine : engines) {
        double done = cells * (work.isIterated() ? work.size() : 1);
        ArrayQuery ours = new ArrayQuery(work, name, engine, work.sql(), done, repeats);
        oursAgainstPeers.put(ours, peer);
        all.add(ours);
      }
    }
    for (int turn = 0; turn < WARM_UPS + repeats; turn++) {
      for (ArrayQuery query : all) {
        time(query, turn);
      }
    }
    oursAgainstPeers.keySet().forEach(query -> check(query, type));
    String note =
        "%d arrays of %d %s, %s source, noop sink, %s%s"
            .formatted(
                count,
                length,
                type == ElementType.F32 ? "floats" : "doubles",
                source,
                master,
                hasGpu() ? ", %s per GPU batch".formatted(batchBytes) : "");
    report(note, type, copy, oursAgainstPeers);
  }

  private boolean hasGpu() {
    return linkBytesPerSecond > 0;
  }

  private List<ArrayWork> works(boolean isCached) {
    List<ArrayWork> works = new ArrayList<>();
    for (int radius : radii) {
      for (String function : functions) {
        works.add(new ArrayWork(function, radius));
      }
    }
    if (isCached && steps > 0) {
      works.add(new ArrayWork("iterate", steps));
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
    double seconds = LocalSpark.seconds(spark.sql(query.sql));
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
