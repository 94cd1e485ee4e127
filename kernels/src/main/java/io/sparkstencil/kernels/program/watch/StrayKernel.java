/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.watch;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.grid.StrayCells;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.KernelKey;
import io.sparkstencil.model.ElementType;
import java.util.List;

/**
 * A kernel that sums up the stray cells of a box: each thread writes the sum of those that it has
 * looked at. Bits of numbers without their sign are in the order of the numbers, and those of NaN
 * come last, so that they are compared as integers. Parameters: {@link KernelParameter#INPUT}, the
 * first cell of the box, and {@link KernelParameter#OUTPUT}, a word for each thread.
 *
 * @param type of the cells
 * @param bound the largest number that is no stray cell
 * @param rows the rows of a plane of the box
 * @param cells the cells of a row of the box
 * @param planes the planes of the box
 * @param rowBytes bytes from a row to the next
 * @param planeBytes bytes from a plane to the next
 */
public record StrayKernel(
    ElementType type, double bound, int planes, int rows, int cells, long rowBytes, long planeBytes)
    implements KernelKey {
  private static final int THREADS = 256;
  private static final int MOST_BLOCKS = 512;

  /** So that there are not more sums than are worth it. */
  private static final int CELLS_OF_A_THREAD = 16;

  @Override
  public String entryName() {
    return "stray_cells";
  }

  private int count() {
    return planes * rows * cells;
  }

  /** Returns the number of blocks of threads. */
  int blocks() {
    int perBlock = THREADS * CELLS_OF_A_THREAD;
    return (int) Math.min(MOST_BLOCKS, ((long) count() + perBlock - 1) / perBlock);
  }

  /** Returns the number of sums that the kernel writes. */
  int sums() {
    return blocks() * THREADS;
  }

  /** Returns the text of a key of this class. */
  public static GeneratedKernel generate(KernelKey key) {
    return ((StrayKernel) key).generate();
  }

  private GeneratedKernel generate() {
    KernelWriter k = new KernelWriter(List.of(KernelParameter.INPUT, KernelParameter.OUTPUT));
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    Register first = k.b32("mad.lo.u32", block, THREADS, thread);
    Register place = k.b32("mov.u32", first);
    Register sum = k.b64("mov.u64", 0);
    k.loop(
        "cell",
        "end",
        () -> k.test("setp.ge.u32", place, count()),
        () -> {
          Register isStray = isStray(k, address(k, place));
          Register part = part(k, place);
          k.putIf(isStray, "add.u64", sum, sum, part);
          k.put("add.u32", place, place, sums());
        });
    k.put("st.global.b64", at(k.global(KernelParameter.OUTPUT, first, Long.BYTES), 0), sum);
    return k.finish(this, THREADS, THREADS, 0);
  }

  /** Writes where the cell of a place is. */
  private Register address(KernelWriter k, Register place) {
    Register row = k.b32("div.u32", place, cells);
    Register cell = k.b32("sub.u32", place, k.b32("mul.lo.u32", row, cells));
    Register plane = k.b32("div.u32", row, rows);
    Register rowInPlane = k.b32("sub.u32", row, k.b32("mul.lo.u32", plane, rows));
    Register ofPlane = k.argument(KernelParameter.INPUT);
    Register ofRow = moved(k, ofPlane, plane, planeBytes);
    return k.b64("mad.wide.u32", cell, type.bytes(), moved(k, ofRow, rowInPlane, rowBytes));
  }

  private static Register moved(KernelWriter k, Register address, Register steps, long bytes) {
    Register wide = k.b64("mul.wide.u32", steps, 1);
    return k.b64("mad.lo.u64", wide, k.b64("mov.u64", bytes), address);
  }

  private Register isStray(KernelWriter k, Register address) {
    long boundBits = PtxCells.bits(type, bound);
    if (type == ElementType.F32) {
      Register bits = k.make(PtxType.B32, "ld.global.b32", at(address, 0));
      return k.test("setp.gt.u32", k.b32("and.b32", bits, Integer.MAX_VALUE), (int) boundBits);
    }
    Register bits = k.make(PtxType.B64, "ld.global.b64", at(address, 0));
    Register magnitude = k.b64("and.b64", bits, k.b64("mov.u64", Long.MAX_VALUE));
    return k.test("setp.gt.u64", magnitude, k.b64("mov.u64", boundBits));
  }

  /** Writes the part of the sum that a cell has; see {@link StrayCells}. */
  private static Register part(KernelWriter k, Register place) {
    Register number = k.b64("mul.wide.u32", k.b32("add.u32", place, 1), 1);
    Register mixed = k.b64("mul.lo.u64", number, k.b64("mov.u64", StrayCells.FIRST_FACTOR));
    Register folded = k.b64("xor.b64", mixed, k.b64("shr.u64", mixed, StrayCells.SHIFT));
    return k.b64("mul.lo.u64", folded, k.b64("mov.u64", StrayCells.SECOND_FACTOR));
  }
}
