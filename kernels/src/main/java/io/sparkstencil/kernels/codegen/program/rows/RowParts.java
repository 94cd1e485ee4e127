/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.stream.IntStream;

/** Writes how a block finds its {@link RowPart} from the kernel's arguments. */
final class RowParts {
  /** The most boxes of cells in one launch. */
  static final int BOXES = 4;

  private final PtxWriter k;
  private final RowTile tile;

  RowParts(PtxWriter k, RowTile tile) {
    this.k = k;
    this.tile = tile;
  }

  /** A box of results. */
  private record Box(
      Register firstColumn,
      Register lastColumn,
      Register firstRow,
      Register lastRow,
      Register rows,
      Register tiles) {}

  /**
   * Finds the part among those of one box, where no boundary reaches. The arguments are: bytes
   * between rows; the first column and the last one, exclusive, of results; the first row and the
   * last one; the rows of a segment; the tiles of a row.
   */
  RowPart inside() {
    Register stride = number("stride");
    Box box =
        new Box(
            number("firstColumn"),
            number("lastColumn"),
            number("firstRow"),
            number("lastRow"),
            number("rows"),
            number("tiles"));
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    Register segment = k.b32("div.u32", block, box.tiles);
    Register column = column(box, k.b32("rem.u32", block, box.tiles));
    Register row = k.b32("mad.lo.s32", segment, box.rows, box.firstRow);
    Register stop = stop(box, row);
    return new RowPart(k.b64("cvt.s64.s32", stride), column, row, stop, null);
  }

  /**
   * Finds the part among those of several boxes, one for each number of a block in the grid's
   * second dimension. The arguments are: bytes between rows; the rows of the fields; their columns,
   * in whole chunks; and then, for each box in turn, the first column of results, the last one, and
   * so on.
   *
   * @param end where blocks go that have no part
   */
  RowPart atEnds(Symbol end) {
    Register stride = number("stride");
    Register size = number("size");
    Register columns = number("columns");
    Register number = k.b32("mov.u32", Symbol.CTAID_Y);
    Box box =
        new Box(
            ofBox("firstColumn", number),
            ofBox("lastColumn", number),
            ofBox("firstRow", number),
            ofBox("lastRow", number),
            ofBox("rows", number),
            ofBox("tiles", number));
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    Register segment = k.b32("div.u32", block, box.tiles);
    Register row = k.b32("mad.lo.s32", segment, box.rows, box.firstRow);
    k.putIf(k.test("setp.ge.s32", row, box.lastRow), "bra.uni", end);
    Register column = column(box, k.b32("rem.u32", block, box.tiles));
    // a tile has no margin at the ends of rows
    k.put("max.s32", column, column, 0);
    Register stop = stop(box, row);
    Register left = null;
    Register right = null;
    if (tile.ends().columns()) {
      left = k.test("setp.eq.s32", column, 0);
      right = k.test("setp.eq.s32", column, k.b32("sub.s32", columns, tile.columns()));
    }
    return new RowPart(
        k.b64("cvt.s64.s32", stride),
        column,
        row,
        stop,
        new RowPart.AtEnds(firstRead(row, size), behindRead(stop, size), size, left, right));
  }

  /**
   * Returns the first row that is read. A short segment at the end needs more rows than others: the
   * values of rows behind the last one are found before it.
   */
  private Register firstRead(Register row, Register size) {
    int copied = 1 + mostRows(true);
    Register first = k.b32("sub.s32", size, copied);
    k.put("min.s32", first, first, row);
    k.put("sub.s32", first, first, tile.levels().before(0));
    return k.b32("max.s32", first, 0);
  }

  private Register behindRead(Register stop, Register size) {
    int copied = 1 + mostRows(false);
    Register behind = k.b32("max.s32", stop, copied);
    k.put("add.s32", behind, behind, tile.levels().after(0));
    return k.b32("min.s32", behind, size);
  }

  /** Returns how far one stage reads, at most. */
  private int mostRows(boolean behind) {
    return IntStream.range(0, tile.traits().stages().size())
        .map(s -> behind ? tile.levels().high(s, 0) : tile.levels().low(s, 0))
        .max()
        .orElse(0);
  }

  /** Returns the first column of a tile. */
  private Register column(Box box, Register number) {
    // the last tile is moved back so that it ends with the results: some are computed twice
    Register column = k.b32("mad.lo.s32", number, tile.validColumns(), box.firstColumn);
    Register latest = k.b32("sub.s32", box.lastColumn, tile.validColumns());
    k.put("min.s32", column, column, latest);
    k.put("sub.s32", column, column, tile.marginBefore());
    return column;
  }

  private Register stop(Box box, Register row) {
    Register stop = k.b32("add.s32", row, box.rows);
    k.put("min.s32", stop, stop, box.lastRow);
    return stop;
  }

  private Register number(String name) {
    return k.b32("ld.param.b32", Address.at(k.parameter("u32", name), 0));
  }

  /** Returns one of the numbers of all boxes. */
  private Register ofBox(String name, Register box) {
    Register chosen = number(name + 0);
    for (int other = 1; other < BOXES; other++) {
      Register isOther = k.test("setp.eq.s32", box, other);
      chosen = k.select(number(name + other), chosen, isOther);
    }
    return chosen;
  }
}
