/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.staging.ResultValidity;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import io.sparkstencil.staging.StagingWriter;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Stages whole series as the pieces of one batch, runs stencils over it on a lane and checks
 * results, that the staged cells are unchanged, and that nothing was written outside the staged
 * positions.
 */
final class DirectRun {
  /** Cells behind the staged ones that must stay as they are. */
  private static final int GUARD_CELLS = 67;

  private static final double GUARD_VALUE = 77;
  private static final byte GUARD_VALIDITY = 7;

  private final StencilEngine engine;
  private final Lane lane;
  private final String context;

  DirectRun(StencilEngine engine, Lane lane, String context) {
    this.engine = engine;
    this.lane = lane;
    this.context = context;
  }

  /**
   * Runs stencils of one type and boundary over series of that type, and checks everything against
   * {@code oracle}, which says what each stencil gives over a series.
   */
  void check(
      List<TestSeries> series,
      List<StencilSpec> specs,
      BiFunction<TestSeries, List<StencilSpec>, List<SeriesOracle.Expected>> oracle) {
    boolean hasNulls = series.stream().anyMatch(s -> s.validity() != null);
    check(series, specs, 1, hasNulls, oracle);
  }

  /** Runs {@code steps} applications of {@code spec}; the oracle applies it one by one. */
  void checkSteps(List<TestSeries> series, StencilSpec spec, int steps, boolean hasNulls) {
    check(
        series,
        List.of(spec),
        steps,
        hasNulls,
        (one, same) -> {
          TestSeries now = one;
          for (int step = 1; step < steps; step++) {
            SeriesOracle.Expected results = SeriesOracle.expected(now, spec);
            now = new TestSeries(spec.type(), results.values(), results.validity().clone());
          }
          return SeriesOracle.expected(now, same);
        });
  }

  private void check(
      List<TestSeries> series,
      List<StencilSpec> specs,
      int steps,
      boolean hasNulls,
      BiFunction<TestSeries, List<StencilSpec>, List<SeriesOracle.Expected>> oracle) {
    ElementType type = specs.get(0).type();
    Boundary boundary = specs.get(0).boundary();
    int alignment = steps == 1 ? 1 : Lane.STEP_ALIGNMENT_CELLS;
    StagingLayout layout = StagingLayout.ofFrames(specs, alignment);
    StagingWriter writer = new StagingWriter(type, boundary);
    int capacity = GUARD_CELLS;
    for (TestSeries one : series) {
      capacity += one.length() + layout.halos();
    }
    try (CloseScope buffers = new CloseScope()) {
      CellBuffer input = buffers.add(lane.lease(type, capacity, hasNulls));
      stage(series, layout, writer, input, hasNulls);
      List<CompiledStencil> stencils = specs.stream().map(engine::compile).toList();
      List<CellBuffer> outputs = new ArrayList<>();
      for (int k = 0; k < specs.size(); k++) {
        CellBuffer output = buffers.add(lane.lease(type, capacity, hasNulls));
        outputs.add(output);
        output.fill(0, capacity, GUARD_VALUE);
        if (hasNulls) {
          output.fillValidity(0, capacity, GUARD_VALIDITY);
        }
      }
      Object before = read(input, layout.stagedCells());
      StagedBatch batch = new StagedBatch(layout, input, hasNulls);
      if (steps == 1) {
        lane.submit(batch, stencils, outputs).await();
      } else {
        CellBuffer between = buffers.add(lane.lease(type, capacity, hasNulls));
        lane.submitSteps(batch, stencils.get(0), outputs.get(0), between, steps).await();
      }
      assertThat(read(input, layout.stagedCells()))
          .as("%s: staged cells", context)
          .isEqualTo(before);
      for (int k = 0; k < specs.size(); k++) {
        checkGuards(layout, outputs.get(k), specs.get(k));
      }
      for (int piece = 0; piece < series.size(); piece++) {
        List<SeriesOracle.Expected> expected = oracle.apply(series.get(piece), specs);
        for (int k = 0; k < specs.size(); k++) {
          checkPiece(layout, piece, expected.get(k), specs.get(k), outputs.get(k));
        }
      }
    }
  }

  private static void stage(
      List<TestSeries> series,
      StagingLayout layout,
      StagingWriter writer,
      CellBuffer input,
      boolean hasNulls) {
    for (TestSeries one : series) {
      if (one.length() == 0) {
        stageNothing(layout, input, hasNulls);
        continue;
      }
      Segment<Void> segment =
          new Segment<>(null, one.cells(), one.validity(), 0, one.length(), null, null, 0);
      writer.stage(segment, 0, one.length(), layout, input, hasNulls);
    }
  }

  /** A piece without outputs: the pipeline makes none, but engines must not trip over one. */
  private static void stageNothing(StagingLayout layout, CellBuffer input, boolean hasNulls) {
    int halos = layout.halos();
    int at = layout.start(layout.add(0, layout.left(), layout.right()));
    input.fill(at, halos, 0);
    if (hasNulls) {
      input.fillValidity(at, halos, (byte) 0);
    }
  }

  private static Object read(CellBuffer buffer, int count) {
    Object cells = buffer.type().newArray(count);
    buffer.read(0, cells, 0, count);
    return cells;
  }

  private void checkGuards(StagingLayout layout, CellBuffer output, StencilSpec spec) {
    int guards = output.capacity() - layout.stagedCells();
    Object behind = output.type().newArray(guards);
    output.read(layout.stagedCells(), behind, 0, guards);
    int untouched = 0;
    while (untouched < guards && Array.getDouble(behind, untouched) == GUARD_VALUE) {
      untouched++;
    }
    assertThat(untouched)
        .as("%s: %s: untouched guard cells behind the staged positions", context, spec)
        .isEqualTo(guards);
    if (output.hasValidity()) {
      byte[] validity = new byte[guards];
      output.readValidity(layout.stagedCells(), validity, 0, guards);
      byte[] expected = new byte[guards];
      Arrays.fill(expected, GUARD_VALIDITY);
      assertThat(validity).as("%s: %s: guard validity", context, spec).isEqualTo(expected);
    }
  }

  private void checkPiece(
      StagingLayout layout,
      int piece,
      SeriesOracle.Expected expected,
      StencilSpec spec,
      CellBuffer output) {
    int cells = layout.cells(piece);
    Object values = spec.type().newArray(cells);
    output.read(layout.start(piece), values, 0, cells);
    byte[] validity;
    if (output.hasValidity()) {
      validity = new byte[cells];
      output.readValidity(layout.start(piece), validity, 0, cells);
    } else {
      validity = ResultValidity.ofPiece(layout, piece, spec);
    }
    assertThat(ResultComparator.difference(spec, expected, values, validity))
        .as("%s: %s: series %d of %d cells", context, spec, piece, cells)
        .isEmpty();
  }
}
