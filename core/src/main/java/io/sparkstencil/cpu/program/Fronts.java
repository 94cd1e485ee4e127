/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.program;

/**
 * How far a tile has come along its slowest axis. A tile moves along that axis in waves: each loads
 * some more positions, and then every stage of every step computes what its operands allow. A stage
 * stays so far behind the one before it that the cells which it reads have not been replaced yet:
 * the cells before a step and those after it are kept in two arrays, whatever the number of steps.
 */
final class Fronts {
  private final Geometry geometry;
  private final int axis;
  private final TileBox loaded;
  private final TileBox[] computed;
  private final int advance;
  private int loadedBefore;
  private int loadedNow;
  private final int[] before;
  private final int[] now;

  /**
   * Places all fronts at the beginning of a tile.
   *
   * @param advance the positions that a wave loads; as many as the tile has make a single wave
   */
  Fronts(Geometry geometry, TileBox results, int steps, int advance) {
    this.geometry = geometry;
    this.advance = advance;
    axis = geometry.slowest();
    loaded = geometry.loaded(results, steps);
    computed = new TileBox[steps * geometry.stages()];
    before = new int[computed.length];
    now = new int[computed.length];
    for (int i = 0; i < computed.length; i++) {
      int stepsAfter = steps - 1 - i / geometry.stages();
      computed[i] = geometry.computed(results, stepsAfter, i % geometry.stages());
      now[i] = computed[i].low()[axis];
    }
    loadedNow = loaded.low()[axis];
  }

  /** Returns how far a wave reads behind the positions that it loads. */
  static long behind(Geometry geometry, int steps) {
    return (long) geometry.lag() * (geometry.stages() * steps + 1);
  }

  /** Goes on to the next wave; returns whether there is one. */
  boolean next() {
    if (loadedNow == loaded.high()[axis]) {
      return false;
    }
    loadedBefore = loadedNow;
    loadedNow = (int) Math.min((long) loadedNow + advance, loaded.high()[axis]);
    int front = loadedNow;
    boolean complete = loadedNow == loaded.high()[axis];
    for (int i = 0; i < now.length; i++) {
      int end = computed[i].high()[axis];
      before[i] = now[i];
      now[i] = complete ? end : Math.max(now[i], Math.min(end, front - geometry.lag()));
      front = now[i];
      complete = front == end;
    }
    return true;
  }

  /** Returns the cells that a tile loads, in all waves together. */
  TileBox loaded() {
    return loaded;
  }

  /** Returns the cells that this wave loads. */
  TileBox loads() {
    return part(loaded, loadedBefore, loadedNow);
  }

  /** Returns the cells that a stage computes in this wave; there may be none. */
  TileBox computes(int step, int stage) {
    int index = step * geometry.stages() + stage;
    return part(computed[index], before[index], now[index]);
  }

  /** Returns the results that are complete after this wave and were not before. */
  TileBox stores() {
    return computes(computed.length / geometry.stages() - 1, geometry.stages() - 1);
  }

  /** Returns the first position that this wave, or a later one, reads. */
  int live() {
    int live = loadedBefore;
    for (int i = 0; i < before.length; i++) {
      if (before[i] < computed[i].high()[axis]) {
        live = Math.min(live, before[i] - geometry.lag());
      }
    }
    return Math.max(live, loaded.low()[axis]);
  }

  private TileBox part(TileBox all, int low, int high) {
    int[] first = all.low().clone();
    int[] last = all.high().clone();
    first[axis] = low;
    last[axis] = high;
    return new TileBox(first, last);
  }
}
