/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.ArrayList;
import java.util.List;

/**
 * Fringe and shared core with one core per block, for frames at least as wide as a block's outputs.
 * All T frames of a block contain the cells T-1 to W-1; beside them they have suffixes of the first
 * T cells and prefixes of the T cells from W on, both by scans over the block. An output costs a
 * constant and W/T cells of the core, which is read once per block.
 */
final class BlockCoreForm {
  private final WindowKernel kernel;
  private final PtxWriter k;
  private final int outputs;
  private final int blockOutputs;
  private final int width;
  private final SharedTile tile;
  private final OutputStore store;
  private final BlockScan scan;

  BlockCoreForm(WindowKernel kernel) {
    this.kernel = kernel;
    this.k = kernel.k;
    this.outputs = kernel.how.cellsPerThread();
    this.blockOutputs = kernel.how.outputsPerBlock();
    this.width = kernel.what.width();
    if (width < blockOutputs) {
      throw new IllegalArgumentException(
          "frames of %d cells are narrower than a block's %d outputs; use a smaller block or another form"
              .formatted(width, blockOutputs));
    }
    this.tile =
        new SharedTile(kernel, new TileShape(kernel.unit, outputs, blockOutputs + kernel.unit));
    this.store = new OutputStore(kernel, tile);
    this.scan = new BlockScan(kernel);
  }

  /** Writes the whole kernel body. */
  void write() {
    TileFill fill = new TileFill(kernel, tile);
    fill.write(kernel.firstCell);
    tile.locateOwn();
    fill.await();
    List<Cell> sums = suffixes();
    if (width > blockOutputs) {
      int first = kernel.skew + blockOutputs;
      Cell core = new CoreReduction(kernel, scan).write(first, kernel.skew + width);
      sums = sums.stream().map(s -> kernel.math.combine(s, core)).toList();
    }
    int rightFirst = kernel.skew + width;
    int rightSkew = rightFirst % kernel.unit;
    Register rightCell = k.b32("add.u32", kernel.firstCell, Literal.of(rightFirst - rightSkew));
    // All threads have read the tile: the scan over the suffixes had a barrier after that.
    fill.write(rightCell);
    fill.await();
    sums = withPrefixes(sums, new TileWindow(kernel, tile, 0, rightSkew));
    store.write(kernel.math.finish(sums), kernel.math.validity(sums));
  }

  private List<Cell> suffixes() {
    Cell[] suffix = SharedCoreForm.suffixes(kernel, new TileWindow(kernel, tile, 0, kernel.skew));
    Cell later = scan.after(suffix[0]);
    List<Cell> sums = new ArrayList<>();
    for (Cell own : suffix) {
      sums.add(kernel.math.combine(own, later));
    }
    return sums;
  }

  private List<Cell> withPrefixes(List<Cell> sums, CellWindow window) {
    List<Cell> prefixes = new ArrayList<>();
    Cell prefix = window.cell(0);
    prefixes.add(prefix);
    for (int i = 1; i < outputs; i++) {
      prefix = kernel.math.combine(prefix, window.cell(i));
      prefixes.add(prefix);
    }
    Cell earlier = scan.before(prefix);
    List<Cell> results = new ArrayList<>();
    for (int output = 0; output < outputs; output++) {
      Cell right = output == 0 ? earlier : kernel.math.combine(earlier, prefixes.get(output - 1));
      results.add(kernel.math.combine(sums.get(output), right));
    }
    return results;
  }
}
