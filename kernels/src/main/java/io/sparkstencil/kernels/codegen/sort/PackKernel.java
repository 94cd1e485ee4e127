/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.sort;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import java.util.List;

/**
 * Packs a key into sort words: a word of {@link KernelParameter#INPUT} less the least becomes the
 * lowest bits of the word of {@link KernelParameter#OUTPUT}, whose bits move up. A thread takes a
 * row.
 */
final class PackKernel {
  private PackKernel() {}

  static GeneratedKernel generate(SortTask task) {
    KernelWriter k =
        new KernelWriter(
            List.of(
                KernelParameter.INPUT,
                KernelParameter.OUTPUT,
                KernelParameter.LEAST,
                KernelParameter.KEY_BITS,
                KernelParameter.ROWS));
    Register row = RowCode.rowOfThread(k);
    Register inside = RowCode.isInside(k, row);
    k.where(
        inside,
        "nopack",
        () -> {
          Register column = k.global(KernelParameter.INPUT, row, Long.BYTES);
          Register word = k.make(PtxType.B64, "ld.global.nc.b64", at(column, 0));
          Register key = k.b64("sub.u64", word, k.argument(KernelParameter.LEAST));
          Register target = k.global(KernelParameter.OUTPUT, row, Long.BYTES);
          if (task == SortTask.PACK_NEXT) {
            Register before = k.make(PtxType.B64, "ld.global.b64", at(target, 0));
            Register moved = k.b64("shl.b64", before, k.argument(KernelParameter.KEY_BITS));
            key = k.b64("or.b64", moved, key);
          }
          k.put("st.global.b64", at(target, 0), key);
        });
    return k.finish(task, SortTask.THREADS, SortTask.THREADS, 0);
  }
}
