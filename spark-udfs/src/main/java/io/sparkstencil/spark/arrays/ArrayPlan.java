/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * How the operations of a query are staged: those over one input in one element type under one
 * boundary rule share their staged cells.
 *
 * @param inputs the type of each input's elements
 * @param groups what is staged
 * @param results where the results of each operation are found
 */
public record ArrayPlan(List<Input> inputs, List<Group> groups, List<Result> results)
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
   * Stencils over the same staged cells.
   *
   * @param input index in the inputs
   * @param specs what runs, as staged
   * @param steps how often it is applied; one stencil only if more than once
   */
  public record Group(int input, List<StencilSpec> specs, int steps) implements Serializable {
    ElementType type() {
      return specs.get(0).type();
    }

    Boundary boundary() {
      return specs.get(0).boundary();
    }

    private boolean takes(Call call, StencilSpec spec) {
      return input == call.input()
          && type() == spec.type()
          && boundary().equals(spec.boundary())
          && steps == call.operation().steps()
          && (steps == 1 || specs.get(0).equals(spec));
    }
  }

  /**
   * Where the results of an operation are found.
   *
   * @param call the operation
   * @param group index in the groups
   * @param output index among the stencils of the group
   */
  public record Result(Call call, int group, int output) implements Serializable {}

  /** Plans the calls of a query, at least one. */
  public static ArrayPlan of(List<Input> inputs, List<Call> calls) {
    List<Group> groups = new ArrayList<>();
    List<Result> results = new ArrayList<>();
    for (Call call : calls) {
      StencilSpec spec = call.operation().stagedSpec();
      int group = 0;
      while (group < groups.size() && !groups.get(group).takes(call, spec)) {
        group++;
      }
      if (group == groups.size()) {
        groups.add(new Group(call.input(), new ArrayList<>(), call.operation().steps()));
      }
      List<StencilSpec> specs = groups.get(group).specs();
      if (!specs.contains(spec)) {
        specs.add(spec);
      }
      results.add(new Result(call, group, specs.indexOf(spec)));
    }
    return new ArrayPlan(List.copyOf(inputs), List.copyOf(groups), List.copyOf(results));
  }
}
