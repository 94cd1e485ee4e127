/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.pipeline.Staging;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * How the operations of a query are staged: those over one input in one element type under one
 * boundary rule share their staged cells.
 *
 * @param inputs the type of each input's elements
 * @param stagings what is staged
 * @param results where the results of each operation are found
 */
public record ArrayPlan(List<Input> inputs, List<Staging> stagings, List<Result> results)
    implements Serializable {

  /**
   * A column of arrays.
   *
   * @param type the type of the elements
   * @param nullElements whether elements can be null
   */
  public record Input(ElementType type, boolean nullElements) implements Serializable {}

  /**
   * One operation over one input.
   *
   * @param input index in the inputs
   * @param operation what is computed
   */
  public record Call(int input, ArrayOperation operation) implements Serializable {}

  /**
   * Where the results of an operation are found.
   *
   * @param call the operation
   * @param staging index in the stagings
   * @param output index among the stencils of the staging
   */
  public record Result(Call call, int staging, int output) implements Serializable {}

  /** Plans the calls of a query, at least one. */
  public static ArrayPlan of(List<Input> inputs, List<Call> calls) {
    List<Staging> stagings = new ArrayList<>();
    List<Result> results = new ArrayList<>();
    for (Call call : calls) {
      StencilSpec spec = call.operation().stagedSpec();
      int staging = 0;
      while (staging < stagings.size() && !takes(stagings.get(staging), call, spec)) {
        staging++;
      }
      if (staging == stagings.size()) {
        stagings.add(null);
      }
      Staging joined = join(stagings.get(staging), call, spec);
      stagings.set(staging, joined);
      results.add(new Result(call, staging, joined.specs().indexOf(spec)));
    }
    return new ArrayPlan(List.copyOf(inputs), List.copyOf(stagings), List.copyOf(results));
  }

  private static boolean takes(Staging staging, Call call, StencilSpec spec) {
    return staging.input() == call.input()
        && staging.type() == spec.type()
        && staging.boundary().equals(spec.boundary())
        && staging.steps() == call.operation().steps()
        && (staging.steps() == 1 || staging.specs().get(0).equals(spec));
  }

  /** Returns a staging, or none yet, with one more stencil; it has what any of them wants. */
  private static Staging join(Staging staging, Call call, StencilSpec spec) {
    ArrayOperation operation = call.operation();
    if (staging == null) {
      return new Staging(
          call.input(),
          List.of(spec),
          operation.steps(),
          operation.cutLeft(),
          operation.cutRight());
    }
    List<StencilSpec> specs = new ArrayList<>(staging.specs());
    if (!specs.contains(spec)) {
      specs.add(spec);
    }
    return new Staging(
        call.input(),
        specs,
        operation.steps(),
        Math.min(staging.cutLeft(), operation.cutLeft()),
        Math.min(staging.cutRight(), operation.cutRight()));
  }

  /**
   * Returns a pipeline for rows with arrays, lazily and in order; each row must stay as it is until
   * the next is asked for.
   *
   * @param engines the engine of each staging; borrowed
   * @param reader how arrays are found
   * @param writer how rows are made
   */
  public <I, K, O> PartitionPipeline<I, K, O> pipeline(
      List<? extends StencilEngine> engines, ArrayReader<I, K> reader, ArrayWriter<K, O> writer) {
    ArrayRow row = new ArrayRow(inputs);
    ArrayResults arrays = new ArrayResults(this);
    return new PartitionPipeline<>(
        stagings,
        engines,
        (item, cells) -> reader.read(item, row.on(cells)),
        (kept, found) -> writer.write(kept, arrays.of(found)));
  }
}
