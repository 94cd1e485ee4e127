/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.program.FusedKernel.Launch;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Layout;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.ArrayList;
import java.util.List;

/**
 * How the blocks of a launch share the results: each has a tile of columns and a segment of rows.
 */
final class RowParts {
  private final RowTile tile;
  private final int firstColumn;
  private final int lastColumn;
  private final int rows;
  private final int tiles;

  RowParts(RowTile tile, Span results) {
    this.tile = tile;
    firstColumn = tile.firstColumn(results);
    lastColumn = tile.lastColumn(results);
    rows = results.high().get(0) - results.low().get(0);
    tiles = RowTile.ceil(lastColumn - firstColumn, tile.validColumns());
  }

  /** Returns whether rows are long enough for a tile. */
  boolean fit() {
    return lastColumn - firstColumn >= tile.validColumns();
  }

  /**
   * Returns the rows of the segments for which the last block ends first.
   *
   * @param resident blocks that the whole device runs at the same time
   */
  int rowsOfSegment(int resident) {
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

  /**
   * Returns the blocks and numbers of a launch.
   *
   * @param resident blocks that the whole device runs at the same time
   */
  Launch launch(Layout layout, Span results, int resident) {
    int rowsOfSegment = rowsOfSegment(resident);
    List<Integer> numbers = new ArrayList<>();
    numbers.add(layout.pitch() * tile.type().bytes());
    numbers.add(firstColumn);
    numbers.add(lastColumn);
    numbers.add(results.low().get(0));
    numbers.add(results.high().get(0));
    numbers.add(rowsOfSegment);
    numbers.add(tiles);
    return new Launch(tiles * RowTile.ceil(rows, rowsOfSegment), 1, numbers);
  }

  /**
   * Writes how a block finds its part from the kernel's arguments: bytes between rows; the first
   * column and the last one, exclusive, of results that are no margins at the ends; the first row
   * and the last one; the rows of a segment; the tiles of a row.
   */
  static RowPart find(PtxWriter k, RowTile tile) {
    Register stride = number(k, "stride");
    Register firstColumn = number(k, "firstColumn");
    Register lastColumn = number(k, "lastColumn");
    Register firstRow = number(k, "firstRow");
    Register lastRow = number(k, "lastRow");
    Register rows = number(k, "rows");
    Register tiles = number(k, "tiles");
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    Register segment = k.b32("div.u32", block, tiles);
    // the last tile is moved back so that it ends with the results: some are computed twice
    Register number = k.b32("rem.u32", block, tiles);
    Register column = k.b32("mad.lo.s32", number, tile.validColumns(), firstColumn);
    Register latest = k.b32("sub.s32", lastColumn, tile.validColumns());
    k.put("min.s32", column, column, latest);
    boolean holds = tile.ends().columns();
    Register left = holds ? k.test("setp.eq.s32", column, firstColumn) : null;
    Register right = holds ? k.test("setp.eq.s32", column, latest) : null;
    k.put("sub.s32", column, column, tile.marginBefore());
    Register row = k.b32("mad.lo.s32", segment, rows, firstRow);
    Register stop = k.b32("add.s32", row, rows);
    k.put("min.s32", stop, stop, lastRow);
    return new RowPart(k.b64("cvt.s64.s32", stride), column, row, stop, left, right);
  }

  private static Register number(PtxWriter k, String name) {
    return k.b32("ld.param.b32", Address.at(k.parameter("u32", name), 0));
  }
}
