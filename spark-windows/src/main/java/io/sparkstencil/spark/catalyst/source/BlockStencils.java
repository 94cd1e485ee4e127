/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.spark.catalyst.interop.GroupedRdd;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.catalyst.interop.TaskFindings;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.exec.BlockFilter;
import io.sparkstencil.spark.exec.EndsCollector;
import io.sparkstencil.spark.exec.HaloPlanner;
import io.sparkstencil.spark.exec.PartitionEnds;
import io.sparkstencil.spark.exec.SeriesHalos;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.plugin.PartitionWork;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import scala.jdk.javaapi.CollectionConverters;

/** Runs stencils over RDDs of consecutive blocks of one series. */
public final class BlockStencils {
  private BlockStencils() {}

  /** Filters consecutive blocks of one series; see {@code BlockQuery}. */
  public static <A, R> JavaRDD<R> blocks(
      JavaRDD<A> blocks, Class<A> arrays, Class<R> results, Stencil stencil, String engine) {
    ElementType type = ElementType.ofArrays(arrays);
    StencilSpec spec = StencilSpec.ofArrays(type, stencil);
    spec.requireResults(results);
    StagePlan plan = StagePlan.ofArrays(type, spec);
    List<PartitionEnds> found =
        TaskFindings.of(
            blocks.mapPartitions(each -> List.of(ends(plan, type, each)).iterator()).rdd());
    HaloPlanner planner = new HaloPlanner(plan, found);
    List<SeriesHalos> beside = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      beside.add(planner.halos(i, i + 1));
    }
    return run(blocks, type, results, plan, beside, engine);
  }

  private static PartitionEnds ends(StagePlan plan, ElementType type, Iterator<?> blocks) {
    EndsCollector collector = new EndsCollector(plan);
    while (blocks.hasNext()) {
      Object block = blocks.next();
      type.requireArray(block);
      collector.columns()[0].addArray(block, 0, Array.getLength(block));
      collector.added(Array.getLength(block));
    }
    return collector.ends();
  }

  private static <A, R> JavaRDD<R> run(
      JavaRDD<A> blocks,
      ElementType type,
      Class<R> results,
      StagePlan plan,
      List<SeriesHalos> beside,
      String engine) {
    StencilConf conf =
        SessionOptions.withEngine(SessionOptions.ofApplication(blocks.context().getConf()), engine);
    return new GroupedRdd<A, SeriesHalos, R>(
            blocks.rdd(),
            IntStream.rangeClosed(0, beside.size()).toArray(),
            beside,
            (context, halos, each) -> {
              BlockFilter<R> filter =
                  new BlockFilter<>(
                      plan,
                      type,
                      results,
                      StagedStencils.engines(plan, PartitionWork.UNKNOWN_CELLS, conf),
                      halos,
                      CollectionConverters.asJava(each.next()));
              ScalaInterop.onCompletion(context, filter::close);
              return CollectionConverters.asScala(filter);
            },
            ScalaInterop.tagOfAny())
        .toJavaRDD();
  }
}
