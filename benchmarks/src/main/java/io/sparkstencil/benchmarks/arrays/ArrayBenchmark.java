/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.arrays;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.pipeline.CopyBenchmark;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.Quantiles;
import io.sparkstencil.model.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileUtil;
import org.apache.spark.sql.Dataset;
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
  private static final String PARQUET = "Parquet";
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

  private SparkSession spark;
  private double linkBytesPerSecond; // each way, 0 without a GPU

  /**
   * A query over arrays.
   *
   * @param subject what runs it: an engine, {@code copy} or {@code transform}
   * @param cells the cells that it computes, each once for every step
   */
  private record Query(String name, String subject, String sql, double cells) {
    boolean isTransform() {
      return subject.equals(TRANSFORM);
    }

    boolean isOurs() {
      return !subject.equals(COPY) && !isTransform();
    }

    boolean isIterated() {
      return name.contains("/" + ArrayWork.ITERATE + "/");
    }
  }

  @Override
  protected void measure() throws IOException {
    spark =
        LocalSpark.session("array-benchmark", master)
            .config("spark.stencil.fallback", false)
            .config("spark.stencil.gpu.batchBytes", batchBytes)
            // Cached batches of ten thousand such rows would take arrays of half a gigabyte.
            .config("spark.sql.inMemoryColumnarStorage.batchSize", 256)
            .getOrCreate();
    linkBytesPerSecond = engines.contains("gpu") ? CopyBenchmark.linkBytesPerSecond() : 0;
    for (ElementType type : types) {
      if (rows > 0) {
        measureCached(type);
      }
      if (parquetRows > 0 && type == ElementType.F32) {
        measureParquet(type);
      }
    }
    spark.stop();
  }

  private void measureCached(ElementType type) {
    Dataset<Row> cached =
        ArrayWork.traces(spark, type, rows, length, partitions).persist(StorageLevel.MEMORY_ONLY());
    cached.createOrReplaceTempView("traces");
    spark
        .sql("SELECT * FROM traces LIMIT " + SAMPLE_ROWS)
        .repartition(partitions)
        .cache()
        .createOrReplaceTempView("sample");
    measure("cached", type, rows);
    spark.catalog().uncacheTable("sample");
    cached.unpersist(true);
  }

  private void measureParquet(ElementType type) throws IOException {
    Path folder = Files.createTempDirectory("arrays-benchmark");
    String file = folder.resolve("traces").toString();
    ArrayWork.traces(spark, type, parquetRows, length, partitions).write().parquet(file);
    spark.read().parquet(file).createOrReplaceTempView("traces");
    measure(PARQUET, type, parquetRows);
    FileUtil.fullyDelete(folder.toFile());
  }

  private void measure(String source, ElementType type, int count) {
    List<Query> queries = queries(type, count, !source.equals(PARQUET));
    Map<Query, List<Double>> rates =
        Turns.measure(
            queries,
            WARM_UPS,
            query -> query.isTransform() ? SAMPLE_REPEATS : repeats,
            query -> query.cells() / LocalSpark.seconds(run(query, query.subject())) * 1e-9);
    String note =
        "%d arrays of %d %s, %s source, noop sink, %s%s"
            .formatted(
                count,
                length,
                type == ElementType.F32 ? "floats" : "doubles",
                source,
                master,
                linkBytesPerSecond > 0 ? ", %s per GPU batch".formatted(batchBytes) : "");
    for (Query query : queries) {
      boolean checked = query.isOurs() && isRight(query);
      for (Query peer : peers(query, queries)) {
        add(row(query, peer, rates, checked, note));
      }
      if (query.subject().equals("gpu") && !query.isIterated()) {
        BenchmarkRow ours = row(query, query, rates, checked, note);
        double link = linkBytesPerSecond / type.bytes() * 1e-9;
        String limit =
            "the link carries %.1f GB/s each way at once".formatted(linkBytesPerSecond * 1e-9);
        add(ours.against("link", ours.value() / link).noted(limit));
      }
    }
  }

  /** Returns the copy and all works on all engines, each mean after its peer. */
  private List<Query> queries(ElementType type, int count, boolean isCached) {
    double cells = (double) count * length;
    String suffix = isCached ? "" : "/source=parquet";
    String copyName = "arrays/copy/" + type.name().toLowerCase(Locale.ROOT) + suffix;
    List<Query> all = new ArrayList<>();
    all.add(new Query(copyName, COPY, "SELECT a FROM traces", cells));
    for (ArrayWork work : works(isCached)) {
      String name = work.name(type) + suffix;
      if (isCached && work.function().equals("mean")) {
        double sample = (double) Math.min(SAMPLE_ROWS, count) * length;
        all.add(new Query(name, TRANSFORM, work.transform(type), sample));
      }
      double done = cells * (work.function().equals(ArrayWork.ITERATE) ? work.size() : 1);
      engines.forEach(engine -> all.add(new Query(name, engine, work.sql(), done)));
    }
    return all;
  }

  private List<ArrayWork> works(boolean isCached) {
    List<ArrayWork> works = new ArrayList<>();
    for (int radius : radii) {
      functions.forEach(function -> works.add(new ArrayWork(function, radius)));
    }
    if (isCached && steps > 0) {
      works.add(new ArrayWork(ArrayWork.ITERATE, steps));
    }
    return works;
  }

  /** Returns what a query is compared with: the copy and its transform, or the last engine. */
  private static List<Query> peers(Query query, List<Query> all) {
    List<Query> alike = all.stream().filter(other -> other.name().equals(query.name())).toList();
    if (query.isIterated()) {
      return List.of(alike.get(alike.size() - 1));
    }
    return all.stream()
        .filter(other -> other.equals(all.get(0)) || (other.isTransform() && alike.contains(other)))
        .filter(other -> !query.isTransform() || !other.equals(query))
        .toList();
  }

  /**
   * Returns the row of a query against a peer. Where both were measured in the same turns, the
   * ratio is the median of the turns', since a machine can be slow for some turns altogether.
   */
  private static BenchmarkRow row(
      Query query, Query peer, Map<Query, List<Double>> rates, boolean checked, String note) {
    List<Double> ours = rates.get(query);
    List<Double> theirs = rates.get(peer);
    double ratio =
        ours.size() == theirs.size()
            ? Quantiles.median(
                IntStream.range(0, ours.size())
                    .mapToObj(turn -> ours.get(turn) / theirs.get(turn))
                    .toList())
            : Quantiles.median(ours) / Quantiles.median(theirs);
    String unit = query.isIterated() ? "G cell-steps/s" : "G cells/s";
    String sample = "transform/aggregate timed on %d cached arrays and scaled by cells";
    boolean sampled = query.isTransform() || peer.isTransform();
    return BenchmarkRow.of(
            query.name(), query.subject(), peer.subject(), ours, unit, ratio, checked, note)
        .noted(sampled ? sample.formatted(SAMPLE_ROWS) : "");
  }

  private Dataset<Row> run(Query query, String engine) {
    spark.conf().set("spark.stencil.engine", query.isOurs() ? engine : "auto");
    return spark.sql(query.sql());
  }

  /** Compares some rows with those of the scalar reference. */
  private boolean isRight(Query query) {
    String few = query.sql() + " WHERE id < " + CHECKED_ROWS;
    Query checked = new Query(query.name(), query.subject(), few, 0);
    long expected = LocalSpark.digest(run(checked, "reference"), "*");
    if (LocalSpark.digest(run(checked, query.subject()), "*") != expected) {
      throw new IllegalStateException(
          "%s on %s is not as on the reference".formatted(query.name(), query.subject()));
    }
    return true;
  }
}
