/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;

/**
 * Arrays of an RDD through engines, from Java's heap to Java's heap: {@code JavaRDD<float[]>}
 * cached as objects, each array a series of its own, each result a new array that is read and
 * dropped. The engines take turns, so that what disturbs the machine disturbs all.
 *
 * <pre>
 *   PipelineBenchmark RESULTS-FOLDER MACHINE COMMIT ENGINES LOG2-BYTES REPEATS WORK.. [KEY=VALUE..]
 *
 *   ENGINES   such as gpu,cpu; the last is what the others are compared with
 *   WORK      such as mean/exact/f32/k=8
 *   KEY=VALUE of Spark's configuration, such as spark.master=local[16]
 * </pre>
 */
public final class PipelineBenchmark {
  private static final int ARRAY_BYTES = 256 << 10;
  private static final int WAVES = 4; // partitions for each core
  private static final double JOB_SECONDS = 2;
  private static final String LINK = "link both ways";

  /** Bytes each way at once that the link of an H200 copies. */
  private static final double LINK_BYTES_PER_SECOND = 101.6e9 / 2;

  private final JavaSparkContext spark;
  private final String[] engines;
  private final long bytes;
  private final int repeats;

  private PipelineBenchmark(JavaSparkContext spark, String[] engines, long bytes, int repeats) {
    this.spark = spark;
    this.engines = engines;
    this.bytes = bytes;
    this.repeats = repeats;
  }

  /** Measures and writes suite {@code pipeline}. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 7) {
      System.err.println(
          "usage: PipelineBenchmark RESULTS-FOLDER MACHINE COMMIT ENGINES LOG2-BYTES REPEATS WORK.. [KEY=VALUE..]");
      System.exit(2);
    }
    List<String> rest = Arrays.asList(arguments).subList(6, arguments.length);
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[*]")
            .setAppName("pipeline-benchmark")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.plugins", "io.sparkstencil.spark.StencilPlugin");
    rest.stream()
        .filter(each -> each.startsWith("spark."))
        .map(each -> each.split("=", 2))
        .forEach(pair -> conf.set(pair[0], pair[1]));
    List<BenchmarkRow> rows = new ArrayList<>();
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      spark.setLogLevel("WARN");
      PipelineBenchmark benchmark =
          new PipelineBenchmark(
              spark,
              arguments[3].split(",", -1),
              1L << Integer.parseInt(arguments[4]),
              Integer.parseInt(arguments[5]));
      for (String work : rest) {
        if (!work.startsWith("spark.")) {
          rows.addAll(benchmark.measure(PipelineWork.parse(work), settings(rest)));
        }
      }
    }
    BenchmarkResults results =
        new BenchmarkResults(
            MachineFacts.ofThisMachine(arguments[1]),
            arguments[2],
            LocalDate.now(ZoneOffset.UTC).toString(),
            rows);
    Path json = results.write(Path.of(arguments[0]), "pipeline");
    System.out.println(BenchmarkResults.read(json).markdown("pipeline"));
  }

  private static String settings(List<String> arguments) {
    String ours =
        String.join(
            " ", arguments.stream().filter(each -> each.startsWith("spark.stencil")).toList());
    return ours.isEmpty() ? "" : "; " + ours;
  }

  private List<BenchmarkRow> measure(PipelineWork work, String settings) {
    int partitions = WAVES * spark.defaultParallelism();
    int length = ARRAY_BYTES / work.type().bytes();
    int arrays = (int) Math.max(1, bytes / ARRAY_BYTES / partitions);
    JavaRDD<Object> cells =
        spark
            .parallelize(IntStream.range(0, partitions).boxed().toList(), partitions)
            .flatMap(
                partition ->
                    IntStream.range(0, arrays)
                        .mapToObj(i -> work.cells(length, (long) partition * arrays + i))
                        .iterator())
            .persist(StorageLevel.MEMORY_ONLY());
    cells.count();
    double cellsOfPass = (double) partitions * arrays * (length - 2 * work.radius());
    Map<String, double[]> rates = new LinkedHashMap<>();
    Map<String, Integer> passes = new LinkedHashMap<>();
    for (String engine : engines) {
      rates.put(engine, new double[repeats]);
      seconds(cells, work, engine, 1); // compiles
      double ofPass = seconds(cells, work, engine, 1);
      int guess = (int) Math.max(1, Math.round(JOB_SECONDS / ofPass));
      double warm = seconds(cells, work, engine, guess) / guess;
      passes.put(engine, (int) Math.max(1, Math.round(JOB_SECONDS / warm)));
    }
    for (int turn = 0; turn < repeats; turn++) {
      for (String engine : engines) {
        int times = passes.get(engine);
        rates.get(engine)[turn] = cellsOfPass * times / seconds(cells, work, engine, times) * 1e-9;
      }
    }
    String note =
        "%s, %d partitions of %d arrays of %d cells, %s passes in a job%s"
            .formatted(spark.master(), partitions, arrays, length, passes, settings);
    List<BenchmarkRow> rows = new ArrayList<>();
    String peer = engines[engines.length - 1];
    for (String engine : engines) {
      boolean checked = check(cells, work, engine);
      rows.add(row(work, engine, peer, quantile(rates.get(peer), 0.5), rates, checked, note));
      if (engine.equals("gpu")) {
        double limit = LINK_BYTES_PER_SECOND / work.type().bytes() * 1e-9;
        rows.add(row(work, engine, LINK, limit, rates, checked, note));
      }
    }
    cells.unpersist(true);
    rows.forEach(
        row ->
            System.out.printf(
                Locale.ROOT,
                "%s %s: %.2f %s, %.2f of %s%n",
                row.name(),
                row.subject(),
                row.value(),
                row.unit(),
                row.ratio(),
                row.against()));
    return rows;
  }

  private BenchmarkRow row(
      PipelineWork work,
      String engine,
      String against,
      double peer,
      Map<String, double[]> rates,
      boolean checked,
      String note) {
    double[] measured = rates.get(engine);
    double median = quantile(measured, 0.5);
    return new BenchmarkRow(
        "pipeline/" + work,
        engine,
        against,
        median,
        "G cells/s",
        median / peer,
        (quantile(measured, 0.9) - quantile(measured, 0.1)) / median,
        repeats,
        checked,
        note);
  }

  /** Returns the seconds of a job that filters all arrays {@code passes} times. */
  private static double seconds(
      JavaRDD<Object> cells, PipelineWork work, String engine, int passes) {
    long start = System.nanoTime();
    work.on(engine)
        .apply(cells.mapPartitions(arrays -> repeated(arrays, passes)))
        .foreachPartition(PipelineBenchmark::drop);
    return (System.nanoTime() - start) * 1e-9;
  }

  /** Reads one result of each array. */
  private static void drop(Iterator<Object> results) {
    double sum = 0;
    while (results.hasNext()) {
      Object array = results.next();
      sum += array instanceof float[] floats ? floats[0] : ((double[]) array)[0];
    }
    if (!(sum >= 0)) {
      throw new IllegalStateException("results of cells between 0 and 1 sum up to " + sum);
    }
  }

  /** Returns the arrays of a cached partition several times over. */
  private static Iterator<Object> repeated(Iterator<Object> arrays, int passes) {
    List<Object> all = new ArrayList<>();
    arrays.forEachRemaining(all::add);
    return new Iterator<>() {
      private int at;
      private int pass;

      @Override
      public boolean hasNext() {
        return pass < passes && !all.isEmpty();
      }

      @Override
      public Object next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        Object next = all.get(at++);
        if (at == all.size()) {
          at = 0;
          pass++;
        }
        return next;
      }
    };
  }

  /** Compares every result of one pass with a plain loop. */
  private static boolean check(JavaRDD<Object> cells, PipelineWork work, String engine) {
    long wrong =
        cells
            .mapPartitions(
                arrays -> {
                  List<Object> all = new ArrayList<>();
                  arrays.forEachRemaining(all::add);
                  Iterator<Object> results = work.on(engine).apply(all.iterator());
                  long bad = 0;
                  for (Object array : all) {
                    bad += work.wrong(array, results.next());
                  }
                  return List.of(results.hasNext() ? bad + 1 : bad).iterator();
                })
            .reduce(Long::sum);
    if (wrong > 0) {
      throw new IllegalStateException(
          "%s on %s: %d results are wrong".formatted(work, engine, wrong));
    }
    return true;
  }

  private static double quantile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.round(share * (sorted.length - 1))];
  }
}
