/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.boxes;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.Ceiling;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Streams of {@link BoxTile}s over the cells that no boundary reaches. */
final class BoxStream implements FusedKernel {
  private final BoxTile tile;

  BoxStream(BoxTile tile) {
    this.tile = tile;
  }

  BoxTile tile() {
    return tile;
  }

  @Override
  public int steps() {
    return 1;
  }

  @Override
  public List<Integer> inputs() {
    return List.of(0);
  }

  @Override
  public List<Integer> outputs() {
    return List.of(0);
  }

  @Override
  public GeneratedKernel generate() {
    return tile.generate();
  }

  @Override
  public Optional<Span> results(Layout layout) {
    int margin = tile.radius();
    int rows = layout.sizes().get(0) - 2 * margin;
    // whole units of 16 bytes are copied from the first column on
    int columns = (layout.sizes().get(1) - 2 * margin) / 2 * 2;
    // with fewer rows, more are read before the first results than are computed
    return rows < BoxTile.PLACE_ROWS * tile.pairsOfRing() || columns < BoxTile.COLUMNS
        ? Optional.empty()
        : Optional.of(new Span(List.of(margin, margin), List.of(margin + rows, margin + columns)));
  }

  @Override
  public Launch launch(Layout layout, Span results, int resident) {
    int firstColumn = results.low().get(1);
    int endColumn = results.high().get(1);
    int firstRow = results.low().get(0);
    int endRow = results.high().get(0);
    int rows = BoxTile.PLACE_ROWS * pairsOfSegment(results, resident);
    // the last tile, and the last segment, end with the results: some are computed twice
    return new Launch(
        tiles(results),
        Ceiling.of(endRow - firstRow, rows),
        List.of(
            layout.pitch() * BoxTile.CELL_BYTES,
            firstColumn,
            endColumn - BoxTile.COLUMNS,
            firstRow,
            endRow - rows,
            rows / BoxTile.PLACE_ROWS));
  }

  /**
   * Returns the pairs of rows of the segments for which the last block ends first.
   *
   * @param resident blocks that the whole device runs at the same time
   */
  private int pairsOfSegment(Span results, int resident) {
    int all = pairs(results);
    int most = Math.max(1, all / tile.pairsOfRing());
    return IntStream.rangeClosed(1, most)
        .mapToObj(segments -> Ceiling.of(all, segments))
        .min(Comparator.comparingLong(pairs -> time(results, resident, pairs)))
        .orElseThrow();
  }

  private static int pairs(Span results) {
    return (results.high().get(0) - results.low().get(0)) / BoxTile.PLACE_ROWS;
  }

  private static int tiles(Span results) {
    return Ceiling.of(results.high().get(1) - results.low().get(1), BoxTile.COLUMNS);
  }

  /** Returns the pairs of rows after which the last block ends. */
  private long time(Span results, int resident, int pairs) {
    int blocks = tiles(results) * Ceiling.of(pairs(results), pairs);
    return (long) Ceiling.of(blocks, Math.max(1, resident)) * (pairs + tile.lead());
  }

  /** Returns how much longer a step takes than if all blocks only computed results. */
  double lost(Span results, int resident) {
    double least = (double) tiles(results) * pairs(results) / resident;
    return time(results, resident, pairsOfSegment(results, resident)) / least;
  }

  @Override
  public String toString() {
    return "boxes on tensor cores";
  }
}
