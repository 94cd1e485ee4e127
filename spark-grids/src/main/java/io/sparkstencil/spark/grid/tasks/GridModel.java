/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.grid.PointSource;
import io.sparkstencil.grid.Receiver;
import io.sparkstencil.grid.watch.WatchPlan;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.conf.StencilConf;
import java.io.Serializable;
import java.util.List;

/**
 * What never changes about a grid; sent to each executor once.
 *
 * @param id unique among all applications
 * @param program what a step computes
 * @param plan the blocks and their halos
 * @param parameters by the steps of the grid; serializable
 * @param sources what is added to cells
 * @param receivers what is sampled
 * @param conf the options that tasks see
 * @param watch when cells are looked at that may diverge
 */
public record GridModel(
    String id,
    StencilProgram program,
    FacePlan plan,
    ParameterValues parameters,
    List<PointSource> sources,
    List<Receiver> receivers,
    StencilConf conf,
    WatchPlan watch)
    implements Serializable {
  /** Returns the type of the cells. */
  public ElementType type() {
    return plan.type();
  }

  /** Returns the number of fields that steps update; they are the first. */
  public int updated() {
    return program.updates().size();
  }

  /** Returns the number of all fields. */
  public int fields() {
    return program.fields().size();
  }
}
