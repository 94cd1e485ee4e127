/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.codegen.program.Ceiling;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Launch;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Layout;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import io.sparkstencil.kernels.codegen.program.StreamSegments;
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
  /**
   * Rows that a block computes in the time of a row beside the ends, which kernels of single steps
   * compute: on an H200, 24 steps of 48 rows and what they need take 170 µs alone, or 7.5 ms of one
   * multiprocessor.
   */
  private static final double BESIDE = 7.5;

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
    tiles = Ceiling.of(lastColumn - firstColumn, tile.validColumns());
  }

  /** Returns whether rows are long enough for a tile. */
  boolean fit() {
    return lastColumn - firstColumn >= tile.validColumns();
  }

  /**
   * Returns how blocks would share the rows by segments of one length, for which turns are counted.
   */
  StreamSegments evenSegments(int resident) {
    return StreamSegments.ofOneLength(work(resident));
  }

  private StreamSegments.Work work(int resident) {
    int rowsBeside = tile.levels().before(0) + tile.levels().after(0);
    double beside = BESIDE * tiles * rowsBeside;
    return new StreamSegments.Work(rows, tile.lead(), tiles, resident, (int) beside);
  }

  /** Returns the tiles of a row. */
  int tiles() {
    return tiles;
  }

  /**
   * Returns the blocks and numbers of a launch.
   *
   * @param resident blocks that the whole device runs at the same time
   */
  Launch launch(Layout layout, Span results, int resident) {
    StreamSegments segments =
        tile.sharesCode() ? StreamSegments.ofTwoLengths(work(resident)) : evenSegments(resident);
    List<Integer> numbers = new ArrayList<>();
    numbers.add(layout.pitch() * tile.type().bytes());
    numbers.add(firstColumn);
    numbers.add(lastColumn);
    numbers.add(results.low().get(0));
    numbers.add(results.high().get(0));
    numbers.add(tiles);
    numbers.add(segments.longOnes());
    numbers.add(segments.longLines());
    numbers.add(segments.shortLines());
    return new Launch(tiles * segments.count(), 1, numbers);
  }

  /**
   * Writes how a block finds its part from the kernel's arguments: bytes between rows; the first
   * column and the last one, exclusive, of results that are no margins at the ends; the first row
   * and the last one; the tiles of a row; the long segments, their rows, and those of short ones.
   */
  static RowPart find(PtxWriter k, RowTile tile) {
    Register stride = number(k, "stride");
    Register firstColumn = number(k, "firstColumn");
    Register lastColumn = number(k, "lastColumn");
    Register firstRow = number(k, "firstRow");
    Register lastRow = number(k, "lastRow");
    Register tiles = number(k, "tiles");
    Register longOnes = number(k, "longOnes");
    Register longRows = number(k, "longRows");
    Register shortRows = number(k, "shortRows");
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
    Register before = k.b32("min.s32", segment, longOnes);
    Register row = k.b32("mad.lo.s32", before, longRows, firstRow);
    Register shortBefore = k.b32("sub.s32", segment, before);
    k.put("mad.lo.s32", row, shortBefore, shortRows, row);
    Register isLong = k.test("setp.lt.s32", segment, longOnes);
    Register stop = k.b32("add.s32", row, k.b32("selp.b32", longRows, shortRows, isLong));
    k.put("min.s32", stop, stop, lastRow);
    return new RowPart(k.b64("cvt.s64.s32", stride), column, row, stop, left, right);
  }

  private static Register number(PtxWriter k, String name) {
    return k.b32("ld.param.b32", Address.at(k.parameter("u32", name), 0));
  }
}
