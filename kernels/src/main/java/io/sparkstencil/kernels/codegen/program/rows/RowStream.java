/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.EdgeKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.Levels;
import io.sparkstencil.kernels.variant.DeviceTraits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Streams of {@link RowTile}s over the cells that no boundary reaches. */
final class RowStream implements FusedKernel {
  private final RowTile tile;

  RowStream(RowTile tile) {
    this.tile = tile;
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
  public Optional<Span> results(Layout layout) {
    int rows = layout.sizes().get(0);
    int columns = layout.sizes().get(1);
    Levels levels = tile.levels();
    int chunk = tile.chunk();
    int end = (columns - levels.after(1)) / chunk * chunk;
    int lastRow = rows - levels.after(0);
    boolean wide = tile.validColumns() > 0 && end - tile.marginBefore() >= tile.validColumns();
    // with fewer rows of results than rows that are read for them alone, one step after the other
    // is as fast
    if (!wide || lastRow - levels.before(0) < Math.max(1, levels.before(0) + tile.lag())) {
      return Optional.empty();
    }
    return Optional.of(
        new Span(List.of(levels.before(0), tile.marginBefore()), List.of(lastRow, end)));
  }

  @Override
  public Launch launch(Layout layout, Span results, int resident) {
    int rows = results.high().get(0) - results.low().get(0);
    int tiles = tiles(results);
    int rowsOfSegment = rowsOfSegment(results, resident);
    List<Integer> numbers = new ArrayList<>();
    numbers.add(layout.pitch() * tile.type().bytes());
    numbers.add(results.low().get(1));
    numbers.add(results.high().get(1));
    numbers.add(results.low().get(0));
    numbers.add(results.high().get(0));
    numbers.add(rowsOfSegment);
    numbers.add(tiles);
    return new Launch(tiles * RowTile.ceil(rows, rowsOfSegment), 1, numbers);
  }

  /** Returns the tiles of a row of results. */
  private int tiles(Span results) {
    return RowTile.ceil(results.high().get(1) - results.low().get(1), tile.validColumns());
  }

  /** Returns the rows of the segments for which the last block ends first. */
  int rowsOfSegment(Span results, int resident) {
    int rows = results.high().get(0) - results.low().get(0);
    int tiles = tiles(results);
    int lead = tile.lead();
    int best = 1;
    double shortest = Double.MAX_VALUE;
    for (int segments = 1; segments <= Math.max(1, rows / Math.max(1, lead)); segments++) {
      int rounds = RowTile.ceil(tiles * segments, Math.max(1, resident));
      double time = (double) rounds * (RowTile.ceil(rows, segments) + lead);
      if (time < shortest) {
        shortest = time;
        best = segments;
      }
    }
    return RowTile.ceil(rows, best);
  }

  @Override
  public Optional<EdgeKernel> edges(Layout layout, DeviceTraits device) {
    return RowStreams.edges(this, layout, device);
  }

  @Override
  public String toString() {
    return "rows " + tile.shape();
  }
}
