/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.planes;

import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;

/**
 * Where a thread is: the numbers that the kernel gets, its tile, and the planes of its block.
 *
 * <p>The numbers are the cells between rows, the rows of a plane; first column, row and plane of
 * the results; the columns and rows where the last tile's results start, and the plane behind the
 * results; the tiles beside each other and the planes of a block.
 *
 * <p>Where the boundary is held, tiles begin and end with the field, and a tile beside the last one
 * leaves it as many cells as it reads there.
 */
final class PlaneFrame {
  private final PtxWriter k;
  private final int bytes;

  final Register lane;
  final Register warp;

  /** The column of this lane's first cell. */
  final Register column;

  /** The row of this warp's first cells. */
  final Register row;

  /** The first plane of the block's results. */
  final Register plane;

  /** The planes of the block's results. */
  final Register planes;

  /** Bytes between rows, 64 bits. */
  final Register rowStride;

  /** Bytes between planes, 64 bits. */
  final Register planeStride;

  /** Whether the tile has the first column; null if the boundary is not held along the columns. */
  final Register left;

  /** Whether the tile has the last column, or null. */
  final Register right;

  /** Whether the tile has the first row; null if the boundary is not held along the rows. */
  final Register top;

  /** Whether the tile has the last row, or null. */
  final Register bottom;

  /** Whether this warp has the first row, or null. */
  final Register topmost;

  /** Whether this warp has the last row, or null. */
  final Register lowest;

  private final Register rowsOfPlane;

  PlaneFrame(PtxWriter k, PlaneTile tile, int bytes, Symbol end) {
    PlaneShape shape = tile.shape();
    PlaneMargins margins = tile.margins();
    this.k = k;
    this.bytes = bytes;
    Register pitch = number("pitch");
    rowsOfPlane = number("rowsOfPlane");
    Register firstColumn = number("firstColumn");
    Register firstRow = number("firstRow");
    Register firstPlane = number("firstPlane");
    Register lastColumn = number("lastColumn");
    Register lastRow = number("lastRow");
    Register endPlane = number("endPlane");
    Register tiles = number("tiles");
    Register planesOfBlock = number("planesOfBlock");

    Register thread = k.b32("mov.u32", Symbol.TID_X);
    lane = k.b32("and.b32", thread, 31);
    warp = k.b32("shr.u32", thread, 5);
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    Register down = k.b32("div.u32", block, tiles);
    Register across = k.b32("mul.lo.s32", down, tiles);
    k.put("sub.s32", across, block, across);
    plane = k.b32("mov.u32", Symbol.CTAID_Y);
    k.put("mad.lo.s32", plane, plane, planesOfBlock, firstPlane);
    k.putIf(k.test("setp.ge.s32", plane, endPlane), "bra", end);
    planes = k.b32("sub.s32", endPlane, plane);
    k.put("min.s32", planes, planes, planesOfBlock);

    boolean columns = tile.ends().columns();
    column = k.b32("mad.lo.s32", across, tile.validColumns(), firstColumn);
    place(column, lastColumn, columns ? tile.besideColumns() : 0);
    left = columns ? k.test("setp.eq.s32", column, firstColumn) : null;
    right = columns ? k.test("setp.eq.s32", column, lastColumn) : null;
    k.put("mad.lo.s32", column, lane, shape.cells(), column);
    k.put("sub.s32", column, column, margins.left());
    boolean rows = tile.ends().rows();
    row = k.b32("mad.lo.s32", down, tile.validRows(), firstRow);
    place(row, lastRow, rows ? tile.besideRows() : 0);
    top = rows ? k.test("setp.eq.s32", row, firstRow) : null;
    bottom = rows ? k.test("setp.eq.s32", row, lastRow) : null;
    topmost = rows ? k.test("setp.eq.and.s32", warp, 0, top) : null;
    lowest = rows ? k.test("setp.eq.and.s32", warp, shape.warps() - 1, bottom) : null;
    k.put("mad.lo.s32", row, warp, shape.rows(), row);
    k.put("sub.s32", row, row, margins.above());
    rowStride = k.b64("mul.wide.s32", pitch, bytes);
    Register rows64 = k.b64("cvt.s64.s32", rowsOfPlane);
    planeStride = k.b64("mul.lo.s64", rowStride, rows64);
  }

  /**
   * Moves the last tile back so that it ends with the results: some are computed twice.
   *
   * @param beside cells that other tiles read behind their own, which are no nearer to the end
   */
  private void place(Register first, Register last, int beside) {
    if (beside > 0) {
      Register before = k.test("setp.lt.s32", first, last);
      k.putIf(before, "min.s32", first, first, k.b32("sub.s32", last, beside));
    }
    k.put("min.s32", first, first, last);
  }

  private Register number(String name) {
    return k.b32("ld.param.b32", Address.at(k.parameter("u32", name), 0));
  }

  /** Returns the address of this thread's first cell, {@code ahead} planes after the results'. */
  Register address(Symbol parameter, int ahead) {
    Register base = k.b64("ld.param.b64", Address.at(parameter, 0));
    k.put("cvta.to.global.u64", base, base);
    Register from = k.b32("add.s32", plane, ahead);
    Register at = k.b32("mad.lo.s32", from, rowsOfPlane, row);
    Register at64 = k.b64("cvt.s64.s32", at);
    k.put("mad.lo.s64", base, at64, rowStride, base);
    return k.b64("mad.wide.s32", column, bytes, base);
  }
}
