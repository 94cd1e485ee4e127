/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.BlockFields;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FacePath;
import io.sparkstencil.grid.FieldCell;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.grid.StepReach;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.text.ProgramText;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A block whose cells are elsewhere, as on a device: it looks at those that are loaded, and drops
 * them.
 */
final class DroppedCells implements BlockFields {
  private final ExtendedBlock place;
  private final AtomicLong live;
  private final AtomicLong mostLive;
  private long loaded;
  private double sum;

  /**
   * Creates a block that is a whole grid.
   *
   * @param live counts the bytes that all blocks are being given
   * @param mostLive gets the most of them
   */
  DroppedCells(List<Long> grid, AtomicLong live, AtomicLong mostLive) {
    StepReach reach = StepReach.of(ProgramText.parse("u' = u", grid.size()));
    place = ExtendedBlock.of(GridBlocks.cut(grid, 1, reach), reach, 1, 0);
    this.live = live;
    this.mostLive = mostLive;
  }

  @Override
  public ExtendedBlock place() {
    return place;
  }

  @Override
  public void load(int field, Box box, Object cells) {
    int length = Array.getLength(cells);
    int cellBytes = cells instanceof float[] ? Float.BYTES : Double.BYTES;
    mostLive.accumulateAndGet(live.addAndGet((long) length * cellBytes), Math::max);
    if (length != box.cells()) {
      throw new AssertionError("%d cells for %s".formatted(length, box));
    }
    for (int i = 0; i < length; i++) {
      sum += cells instanceof float[] floats ? floats[i] : ((double[]) cells)[i];
    }
    loaded += length;
    Thread.yield();
    live.addAndGet((long) -length * cellBytes);
  }

  /** Returns how many cells were loaded. */
  long loaded() {
    return loaded;
  }

  /** Returns the sum of the cells. */
  double sum() {
    return sum;
  }

  private static UnsupportedOperationException dropped() {
    return new UnsupportedOperationException("the cells were dropped");
  }

  @Override
  public String engine() {
    return "";
  }

  @Override
  public long heapBytes() {
    return 0;
  }

  @Override
  public long deviceBytes() {
    return 0;
  }

  @Override
  public Object cells(int field, Box box) {
    throw dropped();
  }

  @Override
  public void fillOwnImages(int first, int end) {
    throw dropped();
  }

  @Override
  public ByteBuffer pack(ExtendedBlock target, int first, int end) {
    throw dropped();
  }

  @Override
  public void unpack(int source, int first, int end, ByteBuffer packed) {
    throw dropped();
  }

  @Override
  public FacePath take(BlockFields source, int first, int end) {
    throw dropped();
  }

  @Override
  public void step(ParameterValues parameters, int steps, HostRunner host) {
    throw dropped();
  }

  @Override
  public double[] values(List<FieldCell> cells) {
    throw dropped();
  }

  @Override
  public void add(List<FieldCell> cells, double[] values) {
    throw dropped();
  }

  @Override
  public void close() {}
}
