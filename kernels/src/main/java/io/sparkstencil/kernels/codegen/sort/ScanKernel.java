/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.sort;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.List;

/**
 * Replaces the count of each tile by the sum of those of the tiles before it. A block takes a
 * digit, and goes through its tiles with a running total, which it leaves in {@link
 * KernelParameter#TOTALS}.
 */
final class ScanKernel {
  private ScanKernel() {}

  static GeneratedKernel generate() {
    KernelWriter k =
        new KernelWriter(
            List.of(KernelParameter.COUNTS, KernelParameter.TOTALS, KernelParameter.TILES));
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    Register digit = k.b32("mov.u32", Symbol.CTAID_X);
    Register tiles = k.argument(KernelParameter.TILES);
    PrefixSum sum = new PrefixSum(k, thread);
    Register first = k.b32("mul.lo.u32", digit, tiles);
    Register total = k.b32("mov.u32", 0);
    Register turn = k.b32("mov.u32", 0);
    k.loop(
        "tiles",
        "tilesdone",
        () -> k.test("setp.ge.u32", turn, tiles),
        () -> {
          Register tile = k.add(turn, thread);
          Register inside = k.test("setp.lt.u32", tile, tiles);
          Register place = k.global(KernelParameter.COUNTS, k.add(first, tile), Integer.BYTES);
          Register count = k.b32("mov.u32", 0);
          k.putIf(inside, "ld.global.b32", count, at(place, 0));
          PrefixSum.Sums sums = sum.of(count);
          k.putIf(inside, "st.global.b32", at(place, 0), k.add(sums.before(), total));
          k.put("add.u32", total, total, sums.all());
          k.put("add.u32", turn, turn, SortTask.THREADS);
          k.put("bar.sync", 0);
        });
    Register isFirst = k.test("setp.eq.u32", thread, 0);
    Register target = k.global(KernelParameter.TOTALS, digit, Integer.BYTES);
    k.putIf(isFirst, "st.global.b32", at(target, 0), total);
    return k.finish(SortTask.SCAN, SortTask.THREADS, 1, PrefixSum.SHARED_BYTES);
  }
}
