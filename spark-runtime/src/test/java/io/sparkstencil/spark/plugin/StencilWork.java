/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.reference.ReferenceEngine;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** A job that tests run with and without faults: stencils over random series, seeded by number. */
final class StencilWork {
  private static final List<StencilSpec> SPECS =
      List.of(
          new StencilSpec(Stencil.mean(Frame.radius(5)), ElementType.F64),
          new StencilSpec(Stencil.min(Frame.precedingFollowing(2, 7)), ElementType.F64));
  private static final int CELLS = 40_000;
  private static final int BATCH_BYTES = 256 << 10;

  private StencilWork() {}

  /** Starts Spark, after ending what an earlier test class has left running in this process. */
  static JavaSparkContext start(SparkConf conf) {
    ScalaInterop.activeContext().ifPresent(SparkContext::stop);
    return new JavaSparkContext(conf);
  }

  /** Returns a number for each series that tells whether its results are right. */
  static List<Integer> run(JavaSparkContext spark, int series, int partitions) {
    return run(spark, series, partitions, number -> number);
  }

  /** Runs the job; {@code source} sees each series' number before its cells are made. */
  static List<Integer> run(
      JavaSparkContext spark, int series, int partitions, SerializableOperator source) {
    JavaRDD<Integer> numbers =
        spark.parallelize(IntStream.range(0, series).boxed().toList(), partitions);
    return numbers.mapPartitions(of -> inTask(of, source)).collect();
  }

  /** Starts the job and returns at once. */
  static JavaFutureAction<List<Integer>> runAsync(
      JavaSparkContext spark, int series, int partitions) {
    return spark
        .parallelize(IntStream.range(0, series).boxed().toList(), partitions)
        .mapPartitions(of -> inTask(of, number -> number))
        .collectAsync();
  }

  /** Runs the job; returns the engines that each executor has used. */
  static Map<String, Set<String>> engines(JavaSparkContext spark, int series, int partitions) {
    return spark
        .parallelize(IntStream.range(0, series).boxed().toList(), partitions)
        .mapPartitionsToPair(StencilWork::engineInTask)
        .groupByKey()
        .mapValues(names -> (Set<String>) new TreeSet<>(toList(names)))
        .collectAsMap();
  }

  private static Iterator<Tuple2<String, String>> engineInTask(Iterator<Integer> numbers) {
    ExecutorRuntime runtime = ExecutorRuntime.current();
    TaskEngine engine = runtime.engineFor(PartitionWork.of(SPECS), runtime.setup().conf());
    Iterator<Integer> digests = digests(engine, numbers, number -> number);
    while (digests.hasNext()) {
      digests.next();
    }
    return List.of(new Tuple2<>(SparkEnv.get().executorId(), engine.report().engine())).iterator();
  }

  private static List<String> toList(Iterable<String> names) {
    List<String> list = new ArrayList<>();
    names.forEach(list::add);
    return list;
  }

  /** What a test does where a task reads its input. */
  interface SerializableOperator extends IntUnaryOperator, java.io.Serializable {}

  private static Iterator<Integer> inTask(Iterator<Integer> numbers, SerializableOperator source) {
    ExecutorRuntime runtime = ExecutorRuntime.current();
    return digests(
        runtime.engineFor(PartitionWork.of(SPECS), runtime.setup().conf()), numbers, source);
  }

  private static Iterator<Integer> digests(
      TaskEngine engine, Iterator<Integer> numbers, SerializableOperator source) {
    PartitionPipeline<Segment<Void>, ?, Segment<Void>> pipeline =
        PartitionPipeline.ofSegments(engine, SPECS, BATCH_BYTES);
    TaskContext.get()
        .addTaskCompletionListener(
            (org.apache.spark.util.TaskCompletionListener) ended -> pipeline.close());
    Iterator<Segment<Void>> results =
        pipeline.run(map(numbers, number -> segment(source.applyAsInt(number))));
    return map(results, StencilWork::digest);
  }

  /** Returns what {@link #run} must return. */
  static List<Integer> expected(int series) {
    List<Integer> digests = new ArrayList<>();
    try (ReferenceEngine engine = new ReferenceEngine();
        PartitionPipeline<Segment<Void>, ?, Segment<Void>> pipeline =
            PartitionPipeline.ofSegments(engine, SPECS, BATCH_BYTES)) {
      Iterator<Segment<Void>> results =
          pipeline.run(IntStream.range(0, series).mapToObj(StencilWork::segment).iterator());
      results.forEachRemaining(segment -> digests.add(digest(segment)));
    }
    return digests;
  }

  private static Segment<Void> segment(int number) {
    double[] cells = new SplittableRandom(number).doubles(CELLS + number).toArray();
    return Segment.series(null, cells, SPECS.size());
  }

  private static int digest(Segment<Void> segment) {
    return 31 * Arrays.hashCode((double[]) segment.result(0, ElementType.F64))
        + Arrays.hashCode((double[]) segment.result(1, ElementType.F64));
  }

  private static <A, B> Iterator<B> map(
      Iterator<A> source, java.util.function.Function<A, B> function) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return source.hasNext();
      }

      @Override
      public B next() {
        return function.apply(source.next());
      }
    };
  }
}
