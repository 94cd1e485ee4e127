/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import java.util.List;

/**
 * The textbooks' offset and stride copies: thread i copies word {@code i * stride + offset} to the
 * same place, and so do its next words, each as many threads further as a block has. Parameters:
 * {@link KernelParameter#INPUT}, {@link KernelParameter#OUTPUT} and {@link KernelParameter#SHIFT},
 * the offset.
 *
 * @param stride words from a thread to the next
 * @param words words of a thread, all loaded before the first is stored
 * @param readOnly whether loads take the read-only path, {@code ld.global.nc}
 */
public record StridedCopyKernel(int stride, int words, boolean readOnly) implements SurveyKernel {
  /** Threads of a block. */
  public static final int THREADS = 256;

  @Override
  public String entryName() {
    return "survey_strided_s%d_w%d_%s".formatted(stride, words, readOnly ? "nc" : "plain");
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k =
        new SurveyWriter(
            THREADS, KernelParameter.INPUT, KernelParameter.OUTPUT, KernelParameter.SHIFT);
    Register first = k.b32("mad.lo.u32", k.block, THREADS * words, k.thread);
    Register word = k.b32("mad.lo.u32", first, stride, k.argument(KernelParameter.SHIFT));
    Register from = k.global(KernelParameter.INPUT, word, SurveyWriter.WORD);
    Register to = k.global(KernelParameter.OUTPUT, word, SurveyWriter.WORD);
    int apart = SurveyWriter.WORD * THREADS * stride;
    List<Register> values = k.registers(PtxType.B32, words);
    for (int i = 0; i < words; i++) {
      k.put(readOnly ? "ld.global.nc.b32" : "ld.global.b32", values.get(i), at(from, i * apart));
    }
    for (int i = 0; i < words; i++) {
      k.put("st.global.b32", at(to, i * apart), values.get(i));
    }
    return k.finish(this, THREADS * words);
  }
}
