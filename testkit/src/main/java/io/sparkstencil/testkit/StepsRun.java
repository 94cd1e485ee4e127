/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.staging.ResultValidity;
import io.sparkstencil.staging.StagedBatch;
import io.sparkstencil.staging.StagingLayout;
import io.sparkstencil.staging.StagingWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Several applications of a stencil to whole series, compared with the oracle's one by one. */
final class StepsRun {
  private final StencilEngine engine;
  private final Lane lane;
  private final String context;

  StepsRun(StencilEngine engine, Lane lane, String context) {
    this.engine = engine;
    this.lane = lane;
    this.context = context;
  }

  /**
   * Runs {@code steps} applications of {@code spec} and checks the results and the staged cells.
   */
  void check(List<TestSeries> series, StencilSpec spec, int steps, boolean hasNulls) {
    ElementType type = spec.type();
    int alignment = Lane.STEP_ALIGNMENT_CELLS;
    int left = (spec.frame().left() + alignment - 1) / alignment * alignment;
    StagingLayout layout = new StagingLayout(left, spec.frame().right());
    StagingWriter writer = new StagingWriter(type, spec.boundary());
    int capacity = series.stream().mapToInt(s -> left + s.length() + spec.frame().right()).sum();
    List<CellBuffer> buffers = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        buffers.add(lane.lease(type, capacity, hasNulls));
      }
      CellBuffer input = buffers.get(0);
      CellBuffer output = buffers.get(1);
      for (TestSeries one : series) {
        Segment<Void> segment =
            new Segment<>(null, one.cells(), one.validity(), 0, one.length(), null, null, 0);
        writer.stage(segment, 0, one.length(), layout, input, hasNulls);
      }
      Object before = type.newArray(capacity);
      input.read(0, before, 0, capacity);
      lane.submitSteps(
              new StagedBatch(layout, input, hasNulls),
              engine.compile(spec),
              output,
              buffers.get(2),
              steps)
          .await();
      Object after = type.newArray(capacity);
      input.read(0, after, 0, capacity);
      assertThat(after).as("%s: staged cells", context).isEqualTo(before);
      for (int piece = 0; piece < series.size(); piece++) {
        checkPiece(layout, piece, series.get(piece), spec, steps, hasNulls, output);
      }
    } finally {
      buffers.forEach(CellBuffer::close);
    }
  }

  private void checkPiece(
      StagingLayout layout,
      int piece,
      TestSeries series,
      StencilSpec spec,
      int steps,
      boolean hasNulls,
      CellBuffer output) {
    int cells = layout.cells(piece);
    Object values = spec.type().newArray(cells);
    output.read(layout.start(piece), values, 0, cells);
    byte[] validity = ResultValidity.ofPiece(layout, piece, spec);
    if (hasNulls) {
      validity = new byte[cells];
      output.readValidity(layout.start(piece), validity, 0, cells);
    }
    TestSeries now = series;
    for (int step = 1; step < steps; step++) {
      SeriesOracle.Expected results = SeriesOracle.expected(now, spec);
      byte[] known = results.validity();
      now = new TestSeries(spec.type(), results.values(), Arrays.copyOf(known, known.length));
    }
    assertThat(
            ResultComparator.difference(spec, SeriesOracle.expected(now, spec), values, validity))
        .as("%s: %s: series %d of %d cells, %d steps", context, spec, piece, cells, steps)
        .isEmpty();
  }
}
