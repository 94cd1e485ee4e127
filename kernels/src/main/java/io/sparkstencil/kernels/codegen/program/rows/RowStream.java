/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.Levels;
import java.util.List;
import java.util.Optional;

/** Streams of {@link RowTile}s over the rows that no boundary reaches. */
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
    boolean holds = tile.ends().columns();
    if (holds && tile.ends().padding() != tile.wholeChunks(columns) - columns) {
      return Optional.empty();
    }
    int first = holds ? 0 : tile.marginBefore();
    int end = holds ? columns : (columns - levels.after(1)) / chunk * chunk;
    int lastRow = rows - levels.after(0);
    Span results = new Span(List.of(levels.before(0), first), List.of(lastRow, end));
    boolean wide = tile.validColumns() > 0 && new RowParts(tile, results).fit();
    // with fewer rows of results than rows that are read for them alone, one step after the other
    // is as fast
    return !wide || lastRow - levels.before(0) < Math.max(1, levels.before(0) + tile.lag())
        ? Optional.empty()
        : Optional.of(results);
  }

  @Override
  public Launch launch(Layout layout, Span results, int resident) {
    return parts(results).launch(layout, results, resident);
  }

  /** Returns how blocks share results. */
  RowParts parts(Span results) {
    return new RowParts(tile, results);
  }

  @Override
  public String toString() {
    return "rows " + tile.shape() + (tile.ends().any() ? ", " + tile.ends() : "");
  }
}
