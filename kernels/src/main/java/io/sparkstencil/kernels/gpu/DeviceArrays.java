/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.engine.Lane;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.staging.StagingLayout;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Arrays that lie one after the other in device memory, as columnar formats have them, and where
 * they and their results go while a stencil runs. Immutable; knows no device.
 *
 * <pre>
 *   scratch memory   | cells | validity | cells | validity | expanded validity | tables |
 * </pre>
 */
public final class DeviceArrays {
  private static final int TABLES = 3;

  private final StencilSpec spec;
  private final int steps;
  private final boolean hasNulls;
  private final int[] offsets;
  private final int[] resultOffsets;
  private final int cutLeft;
  private final StagingLayout layout;
  private final int mostCells;
  private final List<DeviceCells> staged;
  private final long expandedOffset;
  private final long tablesOffset;
  private final long scratchBytes;

  /**
   * Lays arrays out.
   *
   * @param spec what is to run, under a boundary other than valid
   * @param steps how often
   * @param hasNulls whether cells have validity bits
   * @param offsets array {@code i} is cells {@code [offsets[i], offsets[i + 1])}; kept
   * @param cutLeft results that are cut off each array on the left
   * @param cutRight results that are cut off each array on the right
   * @throws DeviceOutOfMemoryException if they are too many to be staged with their halos at once
   */
  public DeviceArrays(
      StencilSpec spec, int steps, boolean hasNulls, int[] offsets, int cutLeft, int cutRight) {
    this.spec = spec;
    this.steps = steps;
    this.hasNulls = hasNulls;
    this.offsets = offsets;
    this.cutLeft = cutLeft;
    this.resultOffsets = new int[offsets.length];
    int alignment = Lane.STEP_ALIGNMENT_CELLS;
    int left = (spec.frame().left() + alignment - 1) / alignment * alignment;
    this.layout = new StagingLayout(left, spec.frame().right());
    boolean missing = spec.boundary().leavesMissing();
    int most = 0;
    for (int i = 0; i + 1 < offsets.length; i++) {
      int cells = offsets[i + 1] - offsets[i];
      if (cells > 0) {
        requireRoom(cells);
        layout.add(cells, missing ? left : 0, missing ? layout.right() : 0);
      }
      most = Math.max(most, cells);
      long results = Math.max(0, (long) cells - cutLeft - cutRight);
      resultOffsets[i + 1] = (int) (resultOffsets[i] + results);
    }
    this.mostCells = most;
    DeviceParts parts = new DeviceParts();
    this.staged =
        List.of(
            parts.addCells(spec.type(), layout.stagedCells(), hasNulls),
            parts.addCells(spec.type(), layout.stagedCells(), hasNulls));
    this.expandedOffset = parts.add(hasNulls ? offsets[offsets.length - 1] : 0);
    this.tablesOffset = parts.add(allTablesBytes());
    this.scratchBytes = parts.bytes();
  }

  private void requireRoom(int cells) {
    long staged = (long) layout.stagedCells() + layout.left() + cells + layout.right();
    if (staged > Integer.MAX_VALUE) {
      throw new DeviceOutOfMemoryException(
          "%d arrays with %d and %d cells beside each are more than the %d cells that can be staged at once; use smaller batches of arrays"
              .formatted(offsets.length - 1, layout.left(), layout.right(), Integer.MAX_VALUE));
    }
  }

  /** Returns where the results of each array begin, one after the other; borrowed. */
  public int[] resultOffsets() {
    return resultOffsets;
  }

  /** Returns the number of results of all arrays. */
  public int results() {
    return resultOffsets[resultOffsets.length - 1];
  }

  /** Returns the bytes of device memory that a run works in. */
  public long scratchBytes() {
    return scratchBytes;
  }

  StencilSpec spec() {
    return spec;
  }

  int steps() {
    return steps;
  }

  boolean hasNulls() {
    return hasNulls;
  }

  StagingLayout layout() {
    return layout;
  }

  int mostCells() {
    return mostCells;
  }

  /** Returns the cells from the first of the first array to the last of the last. */
  int cells() {
    return offsets[offsets.length - 1] - firstCell();
  }

  int firstCell() {
    return offsets[0];
  }

  /**
   * Returns the first or second place for staged cells in memory that begins at {@code scratch}.
   */
  DeviceCells staged(long scratch, int place) {
    return staged.get(place).in(scratch);
  }

  /** Returns where the validity bytes of all arrays go, before staging and after. */
  long expanded(long scratch) {
    return scratch + expandedOffset;
  }

  private long tableBytes() {
    return (long) layout.pieces() * DeviceParts.PIECE_BYTES;
  }

  /** Returns where table 0 (pieces), 1 (copies in) or 2 (copies out) is. */
  long table(long scratch, int table) {
    return scratch + tablesOffset + table * tableBytes();
  }

  long allTablesBytes() {
    return TABLES * tableBytes();
  }

  /** Writes the three tables, one after the other. */
  void writeTables(ByteBuffer target) {
    for (int piece = 0; piece < layout.pieces(); piece++) {
      target
          .putInt(layout.start(piece))
          .putInt(layout.cells(piece))
          .putInt(layout.missingLeft(piece))
          .putInt(layout.missingRight(piece));
    }
    for (int table = 1; table < TABLES; table++) {
      int piece = 0;
      for (int i = 0; i + 1 < offsets.length; i++) {
        int cells = offsets[i + 1] - offsets[i];
        if (cells == 0) {
          continue;
        }
        int start = layout.start(piece++);
        if (table == 1) {
          target.putInt(offsets[i]).putInt(start + layout.left()).putInt(cells).putInt(0);
        } else {
          int results = resultOffsets[i + 1] - resultOffsets[i];
          target.putInt(start + cutLeft).putInt(resultOffsets[i]).putInt(results).putInt(0);
        }
      }
    }
  }
}
