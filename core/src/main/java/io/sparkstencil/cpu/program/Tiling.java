/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * How fields are cut into tiles: the cells of results along each axis, the steps that a tile takes
 * at a time, and how fast it moves.
 *
 * @param size the cells along each of the three axes
 * @param steps the steps between loading and storing
 * @param advance the positions along the slowest axis that are loaded at a time, or the greatest
 *     int for all of a tile
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Tiling(int[] size, int steps, int advance) {
  /** What a tile may hold, so that it stays in the second-level cache of one core. */
  static final long CACHE_BYTES = 768 << 10;

  /**
   * A smaller field with few steps is one tile of one thread: starting others would take longer.
   */
  private static final long SMALL_WORK = 1 << 20;

  private static final int[] STEPS = {64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1};
  private static final int MOST_STEPS = 256;
  private static final int LEAST_ROW = 64;
  private static final int MOST_PARTS = 128;

  /** The cells of a wave in one step, so that beginning its instructions takes little time. */
  private static final double WAVE_CELLS = 16_384;

  /** Moving a byte between memory and cache costs about as much as this many in the cache. */
  private static final double MEMORY_COST = 8;

  /** Beginning to read or write a row of a field costs about as much as this many cells of it. */
  private static final double ROW_START = 256;

  /** Moving a byte within a tile, in the same unit. */
  private static final double MOVE_COST = 3;

  /** What it costs to begin the instructions of a stage, in the same unit. */
  private static final double CALL_COST = 30_000;

  /** What is to be done; see {@link #choose}. */
  private record TilingInput(
      Geometry geometry, long bytesPerCell, long bytesPerStep, int steps, int threads) {}

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
    Tiling whole = still(domain, Math.min(steps, MOST_STEPS));
    TileBox all = new TileBox(new int[TileBox.AXES], domain);
    long cells = geometry.loaded(all, 1).cells();
    if (wholeFits(geometry) && cells * bytesPerCell <= CACHE_BYTES && cells * steps < SMALL_WORK) {
      return whole;
    }
    TilingInput work = new TilingInput(geometry, bytesPerCell, bytesPerStep, steps, threads);
    Tiling best = whole;
    double least = Double.POSITIVE_INFINITY;
    for (int t : stepsPerPass(steps)) {
      for (int z : sizes(geometry, 0)) {
        for (int y : sizes(geometry, 1)) {
          for (int x : sizes(geometry, 2)) {
            Tiling tiling = of(work, new int[] {z, y, x}, t);
            double cost = tiling.cost(work);
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

  private static Tiling still(int[] size, int steps) {
    return new Tiling(size, steps, Integer.MAX_VALUE);
  }

  private static boolean wholeFits(Geometry geometry) {
    return !geometry.wraps(0) && !geometry.wraps(1) && !geometry.wraps(2);
  }

  /** Returns numbers of steps that make passes of about the same length. */
  private static Iterable<Integer> stepsPerPass(int steps) {
    TreeSet<Integer> each = new TreeSet<>();
    for (int t : STEPS) {
      int passes = (int) (((long) steps + t - 1) / t);
      each.add((int) (((long) steps + passes - 1) / passes));
    }
    return each;
  }

  /** Returns sizes that cut an axis into parts of about the same length. */
  private static Iterable<Integer> sizes(Geometry geometry, int axis) {
    int domain = geometry.domain(axis);
    TreeSet<Integer> sizes = new TreeSet<>();
    sizes.add(domain);
    int least = Math.max(geometry.shrink(axis), axis == 2 ? LEAST_ROW : 8);
    // a tile moves along the slowest axis: its parts are for several threads only
    int more = axis == geometry.slowest() ? 1 : 3;
    for (int parts = 2;
        parts <= MOST_PARTS && !geometry.whole(axis);
        parts += (parts + more - 1) / more) {
      int size = (domain + parts - 1) / parts;
      if (size >= least) {
        sizes.add(size);
      }
    }
    return sizes;
  }

  /** Returns tiles that move as fast as the cache allows. */
  private static Tiling of(TilingInput work, int[] size, int steps) {
    Tiling still = still(size, steps);
    Geometry geometry = work.geometry();
    double slice = still.loaded(geometry) / still.loaded(geometry, geometry.slowest());
    double room = CACHE_BYTES / (slice * work.bytesPerCell()) - Fronts.behind(geometry, steps);
    return geometry.whole(geometry.slowest()) || room < 1
        ? still
        : new Tiling(size, steps, (int) Math.min(room, Math.max(1, WAVE_CELLS / slice)));
  }

  /** Returns the positions along an axis that a tile in the middle loads. */
  private double loaded(Geometry geometry, int axis) {
    boolean full = size[axis] == geometry.domain(axis) && !geometry.wraps(axis);
    return size[axis] + (full ? 0.0 : steps * geometry.shrink(axis));
  }

  private double loaded(Geometry geometry) {
    return loaded(geometry, 0) * loaded(geometry, 1) * loaded(geometry, 2);
  }

  /** Returns the estimated time per result and step, in units of a byte in the cache. */
  private double cost(TilingInput work) {
    Geometry geometry = work.geometry();
    int slowest = geometry.slowest();
    double loaded = loaded(geometry);
    double results = 1;
    double computed = 1;
    double tiles = 1;
    for (int axis = 0; axis < TileBox.AXES; axis++) {
      results *= size[axis];
      // whole rows are computed in every step
      computed *= axis == 2 ? loaded(geometry, 2) : (loaded(geometry, axis) + size[axis]) / 2;
      tiles *= Math.ceil((double) geometry.domain(axis) / size[axis]);
    }
    double depth = depth(geometry, loaded(geometry, slowest), steps);
    double slice = loaded / loaded(geometry, slowest);
    double inCache = depth * slice * work.bytesPerCell() <= CACHE_BYTES * 1.01 ? 1 : MEMORY_COST;
    double waves = Math.ceil(loaded(geometry, slowest) / advance);
    double time = computed * steps * work.bytesPerStep() * inCache;
    double moved = (loaded + results) * work.bytesPerCell() * MEMORY_COST;
    time += moved * (1 + ROW_START / loaded(geometry, 2));
    time += (waves - 1) * Fronts.behind(geometry, steps) * slice * work.bytesPerCell() * MOVE_COST;
    time += waves * steps * geometry.stages() * CALL_COST;
    double rounds = Math.ceil(tiles / work.threads()) * work.threads() / tiles;
    return time * rounds / (results * steps);
  }

  /** Returns the most positions along the slowest axis that a tile holds at the same time. */
  int depth(Geometry geometry, TileBox results, int steps) {
    return (int) depth(geometry, geometry.loaded(results, steps).size(geometry.slowest()), steps);
  }

  private double depth(Geometry geometry, double loaded, int steps) {
    return Math.min(loaded, (double) advance + Fronts.behind(geometry, steps));
  }

  /** Returns whether a tile loads all of its cells before it computes any. */
  boolean isStill() {
    return advance == Integer.MAX_VALUE;
  }

  /** Returns the results of each tile. */
  List<TileBox> tiles(Geometry geometry) {
    List<TileBox> tiles = new ArrayList<>();
    for (int z = 0; z < geometry.domain(0); z += size[0]) {
      for (int y = 0; y < geometry.domain(1); y += size[1]) {
        for (int x = 0; x < geometry.domain(2); x += size[2]) {
          tiles.add(
              new TileBox(
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
