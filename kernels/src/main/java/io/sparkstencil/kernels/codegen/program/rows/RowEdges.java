/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.EdgeKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Launch;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Layout;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import java.util.ArrayList;
import java.util.List;

/**
 * Streams of {@link RowTile}s along the ends of fields, which hold the boundary: one tile at each
 * end of the rows, over all rows, and a few rows at the first and the last row between these tiles.
 */
final class RowEdges implements EdgeKernel {
  /** The rows of a segment are at least this many times those that are read for them alone. */
  private static final int LEADS = 4;

  private final RowTile tile;
  private final Layout layout;
  private final Division division;

  private RowEdges(RowTile tile, Layout layout, Division division) {
    this.tile = tile;
    this.layout = layout;
    this.division = division;
  }

  /** Returns the edges beside another kernel; null if too few cells would be left to that one. */
  static RowEdges of(RowStream inside, RowTile tile, Layout layout) {
    Span results = inside.results(layout).orElse(null);
    if (results == null || tile.validColumns() <= 0) {
      return null;
    }
    RowEnds ends = tile.ends();
    int rows = layout.sizes().get(0);
    int columns = layout.sizes().get(1);
    int left = results.low().get(1);
    int right = results.high().get(1);
    if (ends.columns()) {
      left = tile.columns() - tile.marginAfter();
      right = columns + ends.padding() - tile.columns() + tile.marginBefore();
    }
    if (right - left < Math.max(inside.tile().validColumns(), tile.validColumns())) {
      return null;
    }
    int top = results.low().get(0);
    int bottom = results.high().get(0);
    int firstRow = ends.rows() ? 0 : top;
    int lastRow = ends.rows() ? rows : bottom;
    List<Span> boxes = new ArrayList<>();
    if (ends.columns()) {
      boxes.add(span(firstRow, 0, lastRow, left));
      boxes.add(span(firstRow, right, lastRow, columns));
    }
    boxes.add(span(firstRow, left, top, right));
    boxes.add(span(bottom, left, lastRow, right));
    boxes.removeIf(box -> box.low().get(0).equals(box.high().get(0)));
    Span covered =
        span(firstRow, ends.columns() ? 0 : left, lastRow, ends.columns() ? columns : right);
    return new RowEdges(tile, layout, new Division(span(top, left, bottom, right), boxes, covered));
  }

  private static Span span(int firstRow, int firstColumn, int lastRow, int lastColumn) {
    return new Span(List.of(firstRow, firstColumn), List.of(lastRow, lastColumn));
  }

  RowTile tile() {
    return tile;
  }

  @Override
  public int steps() {
    return tile.steps();
  }

  @Override
  public List<Integer> inputs() {
    return tile.inputs();
  }

  @Override
  public List<Integer> outputs() {
    return tile.outputs();
  }

  @Override
  public GeneratedKernel generate() {
    return tile.generate();
  }

  @Override
  public Division division() {
    return division;
  }

  @Override
  public Launch launch(int resident) {
    List<List<Integer>> ofBoxes = new ArrayList<>();
    int blocks = 1;
    for (int number = 0; number < RowParts.BOXES; number++) {
      boolean used = number < division.boxes().size();
      Span box = used ? division.boxes().get(number) : span(0, 0, 0, 0);
      int rows = box.high().get(0) - box.low().get(0);
      int first = box.low().get(1);
      int last = tile.wholeChunks(box.high().get(1));
      // a tile at an end of the rows is wider than others, as it has no margin there
      boolean alone =
          tile.ends().columns() && (first == 0 || box.high().get(1).equals(layout.sizes().get(1)));
      int tiles = alone ? 1 : Math.max(1, RowTile.ceil(last - first, tile.validColumns()));
      int most = Math.max(1, Math.min(rows / (LEADS * tile.lead()), resident / (2 * tiles)));
      int rowsOfSegment = Math.max(1, RowTile.ceil(rows, most));
      ofBoxes.add(List.of(first, last, box.low().get(0), box.high().get(0), rowsOfSegment, tiles));
      blocks = Math.max(blocks, tiles * RowTile.ceil(rows, rowsOfSegment));
    }
    List<Integer> numbers = new ArrayList<>();
    numbers.add(layout.pitch() * tile.type().bytes());
    numbers.add(layout.sizes().get(0));
    numbers.add(tile.wholeChunks(layout.sizes().get(1)));
    for (int number = 0; number < ofBoxes.get(0).size(); number++) {
      for (List<Integer> box : ofBoxes) {
        numbers.add(box.get(number));
      }
    }
    return new Launch(blocks, Math.max(1, division.boxes().size()), numbers);
  }

  @Override
  public String toString() {
    return "rows at ends " + tile.shape() + ", " + tile.ends();
  }
}
