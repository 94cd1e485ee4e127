/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.sort;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.codegen.WarpShuffle;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;

/** Writes sums of 32-bit numbers over the threads of a block, all of which take part. */
final class PrefixSum {
  private static final String SUMS = "sums";
  private static final int WARPS = SortTask.THREADS / 32;

  /** Shared memory that this declares. */
  static final int SHARED_BYTES = WARPS * Integer.BYTES;

  private final KernelWriter k;
  private final Register warp;
  private final Register isLastLane;
  private final Register sums;

  /**
   * The sums of a thread.
   *
   * @param before what all threads before it have
   * @param all what all threads have
   */
  record Sums(Register before, Register all) {}

  PrefixSum(KernelWriter k, Register thread) {
    this.k = k;
    k.declare(".shared .align 16 .b8 %s[%d]".formatted(SUMS, SHARED_BYTES));
    warp = k.b32("shr.u32", thread, 5);
    isLastLane = k.test("setp.eq.u32", k.b32("and.b32", thread, 31), 31);
    sums = k.b32("mov.u32", new Symbol(SUMS));
  }

  /** Returns the sums of a number. A barrier must lie between two of these. */
  Sums of(Register own) {
    Register upToOwn = own;
    for (int distance = 1; distance < 32; distance *= 2) {
      Register exists = k.register(PtxType.PREDICATE);
      Register other = WarpShuffle.read(k, WarpShuffle.Mode.UP, upToOwn, distance, exists);
      upToOwn = k.select(k.add(upToOwn, other), upToOwn, exists);
    }
    Register ofWarp = k.b32("mad.lo.u32", warp, Integer.BYTES, sums);
    k.putIf(isLastLane, "st.shared.b32", at(ofWarp, 0), upToOwn);
    k.put("bar.sync", 0);
    Register before = k.subtract(upToOwn, own);
    Register all = k.b32("mov.u32", 0);
    for (int w = 0; w < WARPS; w++) {
      Register isOfWarp = k.test("setp.eq.u32", warp, w);
      k.putIf(isOfWarp, "add.u32", before, before, all);
      k.put("add.u32", all, all, k.b32("ld.shared.b32", at(sums, w * Integer.BYTES)));
    }
    return new Sums(before, all);
  }
}
