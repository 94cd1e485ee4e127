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
 */
final class PlaneFrame {
  static final int NUMBERS = 10;

  private final PtxWriter k;
  private final PlaneShape shape;
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

  private final Register rowsOfPlane;

  PlaneFrame(PtxWriter k, PlaneShape shape, PlaneMargins margins, int bytes, Symbol end) {
    this.k = k;
    this.shape = shape;
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

    // the last tiles are moved back so that they end with the results: some are computed twice
    int validColumns = shape.columns() - margins.left() - margins.right();
    column = k.b32("mad.lo.s32", across, validColumns, firstColumn);
    k.put("min.s32", column, column, lastColumn);
    k.put("mad.lo.s32", column, lane, shape.cells(), column);
    k.put("sub.s32", column, column, margins.left());
    int validRows = shape.tileRows() - margins.above() - margins.below();
    row = k.b32("mad.lo.s32", down, validRows, firstRow);
    k.put("min.s32", row, row, lastRow);
    k.put("mad.lo.s32", row, warp, shape.rows(), row);
    k.put("sub.s32", row, row, margins.above());
    rowStride = k.b64("mul.wide.s32", pitch, bytes);
    Register rows64 = k.b64("cvt.s64.s32", rowsOfPlane);
    planeStride = k.b64("mul.lo.s64", rowStride, rows64);
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

  /** Returns whether this lane has results. */
  Register hasResults(PlaneMargins margins) {
    int before = margins.left() / shape.cells();
    int lanes = 32 - before - margins.right() / shape.cells();
    Register after = k.b32("sub.s32", lane, before);
    return k.test("setp.lt.u32", after, lanes);
  }

  /** Returns the rows between the first row of results and this thread's. */
  Register resultRow(PlaneMargins margins) {
    Register first = k.b32("mul.lo.s32", warp, shape.rows());
    k.put("sub.s32", first, first, margins.above());
    return first;
  }
}
