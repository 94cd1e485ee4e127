/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.plan;

import io.sparkstencil.kernels.codegen.program.ArrayView;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import io.sparkstencil.kernels.codegen.program.StepJob;
import io.sparkstencil.kernels.codegen.program.StepKernel;
import java.util.ArrayList;
import java.util.List;

/**
 * A box of cells that takes several steps, one stage at a time: where the cells of each step are,
 * and the jobs that compute them.
 *
 * @param stages the stages of the program
 * @param geometry which cells are computed when
 * @param steps the number of steps
 * @param inputs the cells before the first step, one per field
 * @param inputSpan which cells those are, or null for whole fields
 * @param scratch for each parity of a step, where its results are, one per updated field; empty if
 *     the box takes one step as a whole
 * @param outputs where the results of the last step belong, one per updated field; empty if they
 *     stay in scratch memory
 */
public record Slab(
    Stages stages,
    SlabGeometry geometry,
    int steps,
    List<Stored> inputs,
    Span inputSpan,
    List<List<Stored>> scratch,
    List<Stored> outputs) {
  /** Returns the jobs of a stage; steps count from 1. */
  public List<StepJob> jobs(int step, int stage) {
    List<StepJob> jobs = new ArrayList<>();
    boolean last = step == steps && !outputs.isEmpty();
    Span computed = geometry.computed(step, stage);
    if (!scratch.isEmpty() && (!last || stages.isReadLater(stage))) {
      for (SlabGeometry.Piece piece : geometry.pieces(computed)) {
        List<ArrayView> results = new ArrayList<>();
        for (int field : stages.stage(stage).results()) {
          results.add(view(scratch.get(step & 1).get(field), computed, piece));
        }
        jobs.add(job(step, stage, piece, results));
      }
    }
    if (last) {
      Span target = geometry.computed(steps, stages.count() - 1);
      for (SlabGeometry.Piece piece : geometry.pieces(target)) {
        List<ArrayView> results = new ArrayList<>();
        for (int field : stages.stage(stage).results()) {
          results.add(view(outputs.get(field), null, piece));
        }
        jobs.add(job(step, stage, piece, results));
      }
    }
    return jobs;
  }

  private StepJob job(int step, int stage, SlabGeometry.Piece piece, List<ArrayView> results) {
    List<ArrayView> sources = new ArrayList<>();
    for (StepKernel.Source source : stages.stage(stage).sources()) {
      sources.add(source(step, source, piece));
    }
    return new StepJob(piece.cells().low(), piece.cells().high(), sources, results);
  }

  private ArrayView source(int step, StepKernel.Source source, SlabGeometry.Piece piece) {
    int field = source.field();
    if (source.updated()) {
      return scratch.isEmpty() || stages.isRenamed(field)
          ? view(outputs.get(field), null, piece)
          : ofStep(step, field, piece);
    }
    return step == 1 || !stages.traits().program().updates(field)
        ? view(inputs.get(field), inputSpan, piece)
        : ofStep(step - 1, field, piece);
  }

  private ArrayView ofStep(int step, int field, SlabGeometry.Piece piece) {
    Span computed = geometry.computed(step, stages.stageOf(field));
    return view(scratch.get(step & 1).get(field), computed, piece);
  }

  private ArrayView view(Stored stored, Span span, SlabGeometry.Piece piece) {
    return stored.view(stages.sizes(), geometry, span, piece.shift());
  }
}
