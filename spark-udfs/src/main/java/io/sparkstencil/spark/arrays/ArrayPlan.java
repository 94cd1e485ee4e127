/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import io.sparkstencil.cpu.CpuEngine;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.pipeline.Staging;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.spark.plugin.PartitionWork;
import io.sparkstencil.spark.plugin.TaskEngine;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * How the operations of a query are staged: those over one input in one element type under one
 * boundary rule share their staged cells.
 *
 * @param inputs the type of each input's elements
 * @param stagings what is staged
 * @param results where the results of each operation are found
 */
public record ArrayPlan(List<ElementType> inputs, List<Staging> stagings, List<Result> results)
    implements Serializable {

  /**
   * One operation over one input.
   *
   * @param input index in the inputs
   * @param operation what is computed
   */
  public record InputOperation(int input, ArrayOperation operation) implements Serializable {}

  /**
   * Where the results of an operation are found.
   *
   * @param operation the operation
   * @param staging index in the stagings
   * @param output index among the stencils of the staging
   */
  public record Result(ArrayOperation operation, int staging, int output) implements Serializable {}

  /** Plans the calls of a query, at least one. */
  public static ArrayPlan of(List<ElementType> inputs, List<InputOperation> calls) {
    List<Staging> stagings = new ArrayList<>();
    List<Result> results = new ArrayList<>();
    for (InputOperation call : calls) {
      ArrayOperation operation = call.operation();
      StencilSpec spec = operation.stagedSpec();
      Staging alone =
          new Staging(
              call.input(),
              List.of(spec),
              operation.steps(),
              operation.cutLeft(),
              operation.cutRight());
      int staging = 0;
      while (staging < stagings.size() && !canJoin(stagings.get(staging), alone)) {
        staging++;
      }
      if (staging == stagings.size()) {
        stagings.add(alone);
      } else {
        stagings.set(staging, joined(stagings.get(staging), alone));
      }
      results.add(new Result(operation, staging, stagings.get(staging).specs().indexOf(spec)));
    }
    return new ArrayPlan(List.copyOf(inputs), List.copyOf(stagings), List.copyOf(results));
  }

  private static boolean canJoin(Staging one, Staging other) {
    return one.input() == other.input()
        && one.type() == other.type()
        && one.boundary().equals(other.boundary())
        && one.steps() == other.steps()
        && (one.steps() == 1 || one.specs().equals(other.specs()));
  }

  /** Returns a staging with the stencils of both, which has what any of them wants. */
  private static Staging joined(Staging one, Staging other) {
    return new Staging(
        one.input(),
        Stream.concat(one.specs().stream(), other.specs().stream()).distinct().toList(),
        one.steps(),
        Math.min(one.cutLeft(), other.cutLeft()),
        Math.min(one.cutRight(), other.cutRight()));
  }

  /**
   * Returns an engine of this executor for each staging of the calling task, with whose end they
   * are given back; outside of tasks the caller closes them.
   */
  public List<TaskEngine> engines(StencilConf conf) {
    return works().stream().map(work -> ExecutorRuntime.current().engineFor(work, conf)).toList();
  }

  /** Returns what a task does for each staging, by which its engine is chosen. */
  public List<PartitionWork> works() {
    return stagings.stream()
        .map(s -> new PartitionWork(s.specs(), PartitionWork.UNKNOWN_CELLS, s.steps()))
        .toList();
  }

  /** Returns the CPU engine, which has nothing to give back: for arrays that come one by one. */
  public List<StencilEngine> localEngines() {
    return Collections.nCopies(stagings.size(), new CpuEngine(Map.of()));
  }

  /**
   * Returns a pipeline for rows with arrays, lazily and in order; each row must stay as it is until
   * the next is asked for.
   *
   * @param engines the engine of each staging; borrowed
   * @param reader points to the arrays of a row, and returns what is kept of it until its results
   *     are there
   * @param writer makes a row of what was kept and of results, which are valid during the call
   */
  public <I, K, O> PartitionPipeline<I, K, O> pipeline(
      List<? extends StencilEngine> engines,
      BiFunction<I, ArrayRow, K> reader,
      BiFunction<K, ArrayResults, O> writer) {
    ArrayRow row = new ArrayRow(inputs);
    ArrayResults arrays = new ArrayResults(this);
    return new PartitionPipeline<>(
        stagings,
        engines,
        (item, cells) -> reader.apply(item, row.on(cells)),
        (kept, found) -> writer.apply(kept, arrays.of(found)));
  }
}
