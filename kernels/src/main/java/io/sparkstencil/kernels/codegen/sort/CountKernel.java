/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.sort;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts the rows of each tile by the digit of their sort word in {@link KernelParameter#INPUT}. A
 * block takes a tile, and counts in shared memory.
 */
final class CountKernel {
  private static final String COUNTERS = "counters";

  private CountKernel() {}

  static GeneratedKernel generate() {
    KernelWriter k =
        new KernelWriter(
            List.of(
                KernelParameter.INPUT,
                KernelParameter.COUNTS,
                KernelParameter.DIGIT_SHIFT,
                KernelParameter.ROWS));
    int sharedBytes = SortTask.DIGITS * Integer.BYTES;
    k.declare(".shared .align 16 .b8 %s[%d]".formatted(COUNTERS, sharedBytes));
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    Register tile = k.b32("mov.u32", Symbol.CTAID_X);
    Register counters = k.b32("mov.u32", new Symbol(COUNTERS));
    Register ownCounter = k.b32("mad.lo.u32", thread, Integer.BYTES, counters);
    Register first = k.b32("mad.lo.u32", tile, SortTask.TILE_ROWS, thread);
    Register from = k.global(KernelParameter.INPUT, first, Long.BYTES);
    k.put("st.shared.b32", at(ownCounter, 0), 0);
    List<Register> insides = new ArrayList<>();
    List<Register> words = new ArrayList<>();
    for (int item = 0; item < SortTask.ITEMS; item++) {
      Register inside = RowCode.isInside(k, k.add(first, item * SortTask.THREADS));
      Register word = k.register(PtxType.B64);
      k.putIf(inside, "ld.global.nc.b64", word, at(from, item * SortTask.THREADS * Long.BYTES));
      insides.add(inside);
      words.add(word);
    }
    k.put("bar.sync", 0);
    for (int item = 0; item < SortTask.ITEMS; item++) {
      Register digit = RowCode.digit(k, words.get(item));
      Register counter = k.b32("mad.lo.u32", digit, Integer.BYTES, counters);
      k.putIf(insides.get(item), "red.shared.add.u32", at(counter, 0), 1);
    }
    k.put("bar.sync", 0);
    Register tiles = k.b32("mov.u32", Symbol.NCTAID_X);
    Register target = k.b32("mad.lo.u32", thread, tiles, tile);
    Register count = k.b32("ld.shared.b32", at(ownCounter, 0));
    k.put("st.global.b32", at(k.global(KernelParameter.COUNTS, target, Integer.BYTES), 0), count);
    return k.finish(SortTask.COUNT, SortTask.THREADS, SortTask.TILE_ROWS, sharedBytes);
  }
}
