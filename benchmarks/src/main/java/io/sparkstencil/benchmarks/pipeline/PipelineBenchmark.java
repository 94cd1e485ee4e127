/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.pipeline;

import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.harness.LocalSpark;
import io.sparkstencil.benchmarks.harness.Turns;
import io.sparkstencil.benchmarks.loops.LoopWork;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.arrays.ArrayStencil;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Arrays of an RDD through engines, from Java's heap to Java's heap: {@code JavaRDD<float[]>}
 * cached as objects, each array a series of its own, each result a new array that is read and
 * dropped. All works on all engines are run for some seconds before anything is measured and then
 * take turns, so that neither the order nor what disturbs the machine favours any of them.
 */
@Command(name = "pipeline", description = "Arrays of an RDD through engines, heap to heap.")
public final class PipelineBenchmark extends BenchmarkCommand {
  private static final int ARRAY_BYTES = 256 << 10;
  private static final int WAVES = 4; // partitions for each core
  private static final int WARM_UPS = 2;
  private static final double WARM_UP_SECONDS = 1;
  private static final double JOB_SECONDS = 2;
  private static final String PLAIN = "plain";
  private static final String VECTORISED = "vectorised";

  @Option(
      names = "--subjects",
      split = ",",
      defaultValue = "cpu,vectorised,plain",
      description =
          "Engines, and loops in Java without one: plain as the definition says, vectorised in the form that compilers turn into vector instructions. Each is compared with those after it.")
  private List<String> subjects;

  @Option(
      names = "--log2-bytes",
      defaultValue = "30",
      description = "The binary logarithm of the bytes of all arrays.")
  private int log2Bytes;

  @Option(names = "--repeats", defaultValue = "5", description = "Turns, after a warm-up.")
  private int repeats;

  @Option(
      names = "--conf",
      paramLabel = "K=V",
      description = "Spark's configuration, such as spark.master=local[16]; repeatable.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Parameters(arity = "1..*", paramLabel = "WORK", description = "Such as mean/exact/f32/k=8.")
  private List<String> works;

  private JavaSparkContext spark;

  /** One work on one subject: jobs of so many passes over all arrays. */
  private static final class Series {
    private final LoopWork work;
    private final String subject;
    private final JavaRDD<Object> cells;
    private final double cellsOfPass;
    private int passes = 1;

    Series(LoopWork work, String subject, JavaRDD<Object> cells, double cellsOfPass) {
      this.work = work;
      this.subject = subject;
      this.cells = cells;
      this.cellsOfPass = cellsOfPass;
    }

    /** Runs jobs for a while and finds how many passes make one of the right length. */
    void warmUp() {
      double spent = 0;
      while (spent < WARM_UP_SECONDS) {
        double seconds = seconds(cells, work, subject, passes);
        spent += seconds;
        passes = (int) Math.max(1, Math.round(JOB_SECONDS * passes / seconds));
      }
    }

    /** Returns the billions of cells per second of one job. */
    double rate() {
      return cellsOfPass * passes / seconds(cells, work, subject, passes) * 1e-9;
    }
  }

  @Override
  protected void measure() throws IOException {
    SparkConf conf =
        LocalSpark.conf("pipeline-benchmark", "local[*]")
            .set("spark.plugins", "io.sparkstencil.spark.StencilPlugin");
    settings.forEach(conf::set);
    PipelineRows rows = new PipelineRows(settings, CudaDriver.get().devices().size());
    spark = new JavaSparkContext(conf);
    measure(works.stream().map(LoopWork::parse).toList(), rows);
    spark.close();
    rows.withThoseAgainstOneGpu(earlier()).forEach(this::add);
  }

  private void measure(List<LoopWork> parsed, PipelineRows rows) {
    int partitions = WAVES * spark.defaultParallelism();
    int arrays = (int) Math.max(1, (1L << log2Bytes) / ARRAY_BYTES / partitions);
    Map<ElementType, JavaRDD<Object>> cells = new HashMap<>();
    List<Series> all = new ArrayList<>();
    for (LoopWork work : parsed) {
      int length = ARRAY_BYTES / work.type().bytes();
      JavaRDD<Object> ofType =
          cells.computeIfAbsent(work.type(), type -> cached(work, partitions, arrays, length));
      double cellsOfPass = (double) partitions * arrays * (length - 2 * work.radius());
      subjects.forEach(subject -> all.add(new Series(work, subject, ofType, cellsOfPass)));
    }
    for (int round = 0; round < WARM_UPS; round++) {
      all.forEach(Series::warmUp);
    }
    Map<Series, List<Double>> measured = Turns.measure(all, 0, each -> repeats, Series::rate);
    for (LoopWork work : parsed) {
      Map<String, List<Double>> rates = new LinkedHashMap<>();
      Map<String, Integer> passes = new LinkedHashMap<>();
      for (Series series : all) {
        if (series.work.equals(work)) {
          check(series.cells, work, series.subject);
          rates.put(series.subject, measured.get(series));
          passes.put(series.subject, series.passes);
        }
      }
      rows.add(
          work,
          rates,
          "%s, %d partitions of %d arrays of %d cells, %s passes in a job; %d works on %d subjects in turns, after %.0f s of each"
              .formatted(
                  spark.master(),
                  partitions,
                  arrays,
                  ARRAY_BYTES / work.type().bytes(),
                  passes,
                  parsed.size(),
                  subjects.size(),
                  WARM_UPS * WARM_UP_SECONDS));
    }
    cells.values().forEach(each -> each.unpersist(true));
  }

  private JavaRDD<Object> cached(LoopWork work, int partitions, int arrays, int length) {
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
    return cells;
  }

  /** Returns the results for each array. */
  static Iterator<Object> results(LoopWork work, String subject, Stream<Object> arrays) {
    return switch (subject) {
      case PLAIN -> arrays.map(work::plain).iterator();
      case VECTORISED -> arrays.map(work::tapByTap).iterator();
      default -> onEngine(work, subject).apply(arrays.iterator());
    };
  }

  @SuppressWarnings("unchecked") // all arrays are of the work's type
  private static ArrayStencil<Object, Object> onEngine(LoopWork work, String engine) {
    Class<?> arrays = work.type().newArray(0).getClass();
    return ArrayStencil.of((Class<Object>) arrays, work.spec().stencil()).withEngine(engine);
  }

  /** Returns the seconds of a job that filters all arrays {@code passes} times. */
  private static double seconds(JavaRDD<Object> cells, LoopWork work, String subject, int passes) {
    JavaRDD<Object> results =
        cells.mapPartitions(
            arrays -> {
              List<Object> all = listOf(arrays);
              return results(
                  work,
                  subject,
                  IntStream.range(0, passes * all.size()).mapToObj(i -> all.get(i % all.size())));
            });
    return Turns.seconds(() -> results.foreachPartition(PipelineBenchmark::drop));
  }

  private static List<Object> listOf(Iterator<Object> arrays) {
    List<Object> all = new ArrayList<>();
    arrays.forEachRemaining(all::add);
    return all;
  }

  /** Reads one result of each array. */
  private static void drop(Iterator<Object> results) {
    double sum = 0;
    while (results.hasNext()) {
      Object array = results.next();
      sum += array instanceof float[] floats ? floats[0] : ((double[]) array)[0];
    }
    if (Double.isNaN(sum)) {
      throw new IllegalStateException("results of numbers are not numbers");
    }
  }

  /**
   * Compares every result of one pass with those of the vectorised loops, and these, for one array
   * of each partition, with the scalar reference; throws if one is wrong.
   */
  private static void check(JavaRDD<Object> cells, LoopWork work, String subject) {
    boolean isReference = subject.equals(VECTORISED);
    long wrong =
        cells
            .mapPartitions(
                arrays -> {
                  List<Object> all = listOf(arrays);
                  List<Object> compared = isReference ? all.subList(0, 1) : all;
                  Iterator<Object> results = results(work, subject, compared.stream());
                  Iterator<Object> expected =
                      results(work, isReference ? "reference" : VECTORISED, compared.stream());
                  long bad = 0;
                  while (expected.hasNext()) {
                    bad += work.wrong(expected.next(), results.next());
                  }
                  return List.of(results.hasNext() ? bad + 1 : bad).iterator();
                })
            .reduce(Long::sum);
    if (wrong > 0) {
      throw new IllegalStateException(
          "%s on %s: %d results are wrong".formatted(work, subject, wrong));
    }
  }
}
