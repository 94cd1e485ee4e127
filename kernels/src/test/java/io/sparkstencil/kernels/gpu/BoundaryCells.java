/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.cells.HeapCellBuffer;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.staging.ResultValidity;
import io.sparkstencil.staging.StagingLayout;
import io.sparkstencil.staging.StagingWriter;
import io.sparkstencil.testkit.ResultComparator;
import io.sparkstencil.testkit.SeriesGenerator;
import io.sparkstencil.testkit.SeriesGenerator.CellMix;
import io.sparkstencil.testkit.SeriesOracle;
import io.sparkstencil.testkit.TestSeries;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whole series of awkward lengths staged under one boundary, and what a stencil makes of each by
 * its definition. Computed once for all variants.
 */
final class BoundaryCells {
  /** Every rule, constant with some value. */
  static final List<Boundary> BOUNDARIES =
      List.of(
          Boundary.VALID,
          Boundary.SHRINK,
          Boundary.constant(3),
          Boundary.NEAREST,
          Boundary.REFLECT,
          Boundary.MIRROR,
          Boundary.WRAP);

  private final FlatStencil what;
  private final StencilSpec spec;
  private final StagingLayout layout;
  private final HeapCellBuffer staged;
  private final List<SeriesOracle.Expected> expected = new ArrayList<>();

  /** Stages series whose first frame lies as far from a 16-byte boundary as the stencil says. */
  BoundaryCells(FlatStencil what, Boundary boundary, CellMix kind, long seed) {
    this.what = what;
    Frame frame = Frame.precedingFollowing((what.width() - 1) / 2, what.width() / 2);
    Stencil stencil =
        switch (what.reduction()) {
          case SUM -> Stencil.sum(frame);
          case MEAN -> Stencil.mean(frame);
          case MIN -> Stencil.min(frame);
          case MAX -> Stencil.max(frame);
          case COUNT -> Stencil.count(frame);
          case WEIGHTED_SUM -> Stencil.weighted(frame, what.weights().toArray());
        };
    this.spec =
        new StencilSpec(stencil.withBoundary(boundary).withAccuracy(what.accuracy()), what.type());
    this.layout = new StagingLayout(frame.left() + what.skewCells(), frame.right());
    int[] lengths = {
      1, 2, Math.max(1, frame.right()), what.width(), 31, 32, 33, 127, 1000 + what.width()
    };
    int capacity = 0;
    for (int length : lengths) {
      capacity += layout.left() + length + layout.right();
    }
    this.staged = new HeapCellBuffer(what.type(), capacity, what.nullable());
    StagingWriter writer = new StagingWriter(what.type(), boundary);
    SeriesGenerator generator = new SeriesGenerator(seed);
    for (int length : lengths) {
      TestSeries series = generator.next(what.type(), length, kind);
      Segment<Void> segment =
          new Segment<>(null, series.cells(), series.validity(), 0, length, null, null, 0);
      writer.stage(segment, 0, length, layout, staged, what.nullable());
      expected.add(SeriesOracle.expected(series, spec));
    }
  }

  StencilSpec spec() {
    return spec;
  }

  StagingLayout layout() {
    return layout;
  }

  /** Writes the staged cells and, if there can be nulls, their validity. */
  void put(ByteBuffer cellView, ByteBuffer validityView) {
    int count = layout.stagedCells();
    switch (what.type()) {
      case F32 -> cellView.asFloatBuffer().put((float[]) staged.array(), 0, count);
      case F64 -> cellView.asDoubleBuffer().put((double[]) staged.array(), 0, count);
      case I32 -> cellView.asIntBuffer().put((int[]) staged.array(), 0, count);
      case I64 -> cellView.asLongBuffer().put((long[]) staged.array(), 0, count);
    }
    if (what.nullable()) {
      validityView.put(staged.validity(), 0, count);
    }
  }

  /** Writes the rows of pieces with missing cells; returns how many. */
  int putTable(ByteBuffer view) {
    int rows = 0;
    for (int piece = 0; piece < layout.pieces(); piece++) {
      if (layout.missingLeft(piece) > 0 || layout.missingRight(piece) > 0) {
        view.putInt(layout.start(piece))
            .putInt(layout.cells(piece))
            .putInt(layout.missingLeft(piece))
            .putInt(layout.missingRight(piece));
        rows++;
      }
    }
    return rows;
  }

  /** Returns what is wrong with the first bad result, or null. */
  String difference(ByteBuffer results, ByteBuffer valid) {
    for (int piece = 0; piece < layout.pieces(); piece++) {
      int cells = layout.cells(piece);
      int from = layout.start(piece);
      byte[] validity = ResultValidity.ofPiece(layout, piece, spec);
      if (what.nullable()) {
        validity = new byte[cells];
        valid.get(from, validity);
      }
      Optional<String> difference =
          ResultComparator.difference(
              spec, expected.get(piece), read(results, from, cells), validity);
      if (difference.isPresent()) {
        return "%s, series %d of %d cells: %s"
            .formatted(spec.boundary(), piece, cells, difference.get());
      }
    }
    return null;
  }

  private Object read(ByteBuffer results, int from, int count) {
    Object values = what.type().newArray(count);
    switch (what.type()) {
      case F32 -> results.asFloatBuffer().get(from, (float[]) values);
      case F64 -> results.asDoubleBuffer().get(from, (double[]) values);
      case I32 -> results.asIntBuffer().get(from, (int[]) values);
      case I64 -> results.asLongBuffer().get(from, (long[]) values);
    }
    return values;
  }
}
