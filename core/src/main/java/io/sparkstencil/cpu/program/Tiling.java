/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import java.util.ArrayList;
import java.util.List;

/**
 * How fields are cut into tiles: the cells of results along each axis, and the steps that a tile
 * takes at a time.
 *
 * @param size the cells along each of the three axes
 * @param steps the steps between loading and storing
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Tiling(int[] size, int steps) {
  /** What a tile may hold, so that it stays in the second-level cache of one core. */
  static final long CACHE_BYTES = 640 << 10;

  private static final int[] ROWS = {2048, 1024, 512, 256, 128, 64};
  private static final int[] COLUMNS = {256, 128, 64, 32, 16};
  private static final int[] PLANES = {64, 32, 16, 8};
  private static final int[] STEPS = {128, 64, 32, 16, 8, 4, 2, 1};

  /** Moving a byte between memory and cache costs about as much as this many in the cache. */
  private static final double MEMORY_COST = 6;

  /**
   * Chooses the tiling with the least estimated time.
   *
   * @param bytesPerCell the bytes of all arrays of a tile for one cell
   * @param bytesPerStep the bytes that the instructions of a step read and write for one cell
   * @param steps the steps of the whole run
   * @param threads the threads that share the tiles
   */
  static Tiling choose(
      Geometry geometry, long bytesPerCell, long bytesPerStep, int steps, int threads) {
    int[] domain = {geometry.domain(0), geometry.domain(1), geometry.domain(2)};
    Tiling best = new Tiling(domain, steps);
    Box all = new Box(new int[Box.AXES], domain);
    long cells = geometry.loaded(all, 1).cells();
    if (wholeFits(geometry) && cells * bytesPerCell <= CACHE_BYTES && cells * steps < 1 << 22) {
      return best;
    }
    double least = Double.POSITIVE_INFINITY;
    for (int t : STEPS) {
      for (int z : sizes(geometry, 0, PLANES)) {
        for (int y : sizes(geometry, 1, COLUMNS)) {
          for (int x : sizes(geometry, 2, ROWS)) {
            Tiling tiling = new Tiling(new int[] {z, y, x}, Math.min(t, steps));
            double cost = tiling.cost(geometry, bytesPerCell, bytesPerStep, threads);
            if (cost < least) {
              least = cost;
              best = tiling;
            }
          }
        }
      }
    }
    return best;
  }

  private static boolean wholeFits(Geometry geometry) {
    return !geometry.wraps(0) && !geometry.wraps(1) && !geometry.wraps(2);
  }

  private static List<Integer> sizes(Geometry geometry, int axis, int[] candidates) {
    int domain = geometry.domain(axis);
    List<Integer> sizes = new ArrayList<>();
    sizes.add(domain);
    if (!geometry.whole(axis)) {
      for (int candidate : candidates) {
        if (candidate < domain && candidate >= geometry.shrink(axis)) {
          sizes.add(candidate);
        }
      }
    }
    return sizes;
  }

  /** Returns the estimated time per result and step, in units of a byte in the cache. */
  private double cost(Geometry geometry, long bytesPerCell, long bytesPerStep, int threads) {
    // a tile in the middle; those at the ends are cheaper
    double loaded = 1;
    double results = 1;
    double tiles = 1;
    for (int axis = 0; axis < Box.AXES; axis++) {
      int domain = geometry.domain(axis);
      int full = size[axis] == domain && !geometry.wraps(axis) ? 0 : steps * geometry.shrink(axis);
      loaded *= size[axis] + full;
      results *= size[axis];
      tiles *= Math.ceil((double) domain / size[axis]);
    }
    double inCache = loaded * bytesPerCell <= CACHE_BYTES ? 1 : MEMORY_COST;
    double computed = (loaded + results) / 2 * steps * bytesPerStep * inCache;
    double moved = (loaded + results) * bytesPerCell * MEMORY_COST;
    double rounds = Math.ceil(tiles / threads) * threads / tiles;
    return (computed + moved) * rounds / (results * steps);
  }

  /** Returns the results of each tile. */
  List<Box> tiles(Geometry geometry) {
    List<Box> tiles = new ArrayList<>();
    for (int z = 0; z < geometry.domain(0); z += size[0]) {
      for (int y = 0; y < geometry.domain(1); y += size[1]) {
        for (int x = 0; x < geometry.domain(2); x += size[2]) {
          tiles.add(
              new Box(
                  new int[] {z, y, x},
                  new int[] {
                    Math.min(z + size[0], geometry.domain(0)),
                    Math.min(y + size[1], geometry.domain(1)),
                    Math.min(x + size[2], geometry.domain(2))
                  }));
        }
      }
    }
    return tiles;
  }
}
