/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.ptx.Register;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Fringe and shared core with one core per block, for frames at least as wide as a block's outputs.
 * All T frames of a block contain the cells T-1 to W-1; beside them they have suffixes of the first
 * T cells and prefixes of the T cells from W on, both by scans over the block. An output costs a
 * constant and W/T cells of the core, which is read once per block.
 */
final class BlockCoreForm {
  private final WindowKernel k;
  private final int blockOutputs;
  private final int width;
  private final SharedTile tile;
  private final OutputStore store;
  private final BlockScan scan;

  BlockCoreForm(WindowKernel kernel) {
    this.k = kernel;
    this.blockOutputs = k.how.outputsPerBlock();
    this.width = k.what.width();
    this.tile = new SharedTile(k, blockOutputs + k.unit);
    this.store = new OutputStore(k, tile);
    this.scan = new BlockScan(k);
  }

  /** Writes the whole kernel. */
  GeneratedKernel write() {
    TileFill fill = new TileFill(k, tile);
    fill.write(k.firstCell);
    tile.locateOwn();
    fill.await();
    List<Cell> sums = withSuffixes();
    if (width > blockOutputs) {
      Cell core = new CoreReduction(k, scan).write(k.skew + blockOutputs, k.skew + width);
      sums = sums.stream().map(s -> k.math.combine(s, core)).toList();
    }
    int rightFirst = k.skew + width;
    int rightSkew = rightFirst % k.unit;
    Register rightCell = k.b32("add.u32", k.firstCell, rightFirst - rightSkew);
    // All threads have read the tile: the scan over the suffixes had a barrier after that.
    fill.write(rightCell);
    fill.await();
    return k.finish(store, withPrefixes(sums, tile.window(0, rightSkew)));
  }

  private List<Cell> withSuffixes() {
    Cell[] suffix = SharedCoreForm.suffixes(k, tile.window(0, k.skew));
    Cell later = scan.after(suffix[0]);
    return Arrays.stream(suffix).map(own -> k.math.combine(own, later)).toList();
  }

  private List<Cell> withPrefixes(List<Cell> sums, IntFunction<Cell> window) {
    List<Cell> prefixes = new ArrayList<>();
    Cell prefix = window.apply(0);
    prefixes.add(prefix);
    for (int i = 1; i < sums.size(); i++) {
      prefix = k.math.combine(prefix, window.apply(i));
      prefixes.add(prefix);
    }
    Cell earlier = scan.before(prefix);
    List<Cell> results = new ArrayList<>();
    for (int output = 0; output < sums.size(); output++) {
      Cell right = output == 0 ? earlier : k.math.combine(earlier, prefixes.get(output - 1));
      results.add(k.math.combine(sums.get(output), right));
    }
    return results;
  }
}
