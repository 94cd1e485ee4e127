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
 * Packs a key into sort words: the integer in the low bits of a word of {@link
 * KernelParameter#INPUT}, or its complement, less the least becomes the lowest bits of the word of
 * {@link KernelParameter#OUTPUT}, whose bits move up. A thread takes a row.
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
                KernelParameter.FLIPPED,
                KernelParameter.UNUSED_BITS,
                KernelParameter.KEY_BITS,
                KernelParameter.ROWS));
    return RowCode.ofRows(
        task,
        k,
        row -> {
          Register column = k.global(KernelParameter.INPUT, row, Long.BYTES);
          Register word = k.make(PtxType.B64, "ld.global.nc.b64", at(column, 0));
          Register unused = k.argument(KernelParameter.UNUSED_BITS);
          Register number = k.b64("shr.s64", k.b64("shl.b64", word, unused), unused);
          Register ordered = k.b64("xor.b64", number, k.argument(KernelParameter.FLIPPED));
          Register key = k.b64("sub.u64", ordered, k.argument(KernelParameter.LEAST));
          Register target = k.global(KernelParameter.OUTPUT, row, Long.BYTES);
          if (task == SortTask.PACK_NEXT) {
            Register before = k.make(PtxType.B64, "ld.global.b64", at(target, 0));
            Register moved = k.b64("shl.b64", before, k.argument(KernelParameter.KEY_BITS));
            key = k.b64("or.b64", moved, key);
          }
          k.put("st.global.b64", at(target, 0), key);
        });
  }
}
