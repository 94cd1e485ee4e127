/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Register;

/**
 * The textbooks' offset and stride copies: thread i copies word {@code i * stride + offset} to the
 * same place. Parameters: {@link KernelParameter#INPUT}, {@link KernelParameter#OUTPUT} and {@link
 * KernelParameter#SHIFT}, the offset.
 *
 * @param stride words from a thread to the next
 * @param readOnly whether loads take the read-only path, {@code ld.global.nc}
 */
public record StridedCopyKernel(int stride, boolean readOnly) implements SurveyKernel {
  /** Threads of a block. */
  public static final int THREADS = 256;

  @Override
  public String entryName() {
    return "survey_strided_s%d_%s".formatted(stride, readOnly ? "nc" : "plain");
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k =
        new SurveyWriter(
            THREADS, KernelParameter.INPUT, KernelParameter.OUTPUT, KernelParameter.SHIFT);
    Register word = k.b32("mad.lo.u32", k.index(), stride, k.argument(KernelParameter.SHIFT));
    Register value = k.b32("mov.u32", 0);
    Register from = k.global(KernelParameter.INPUT, word, SurveyWriter.WORD);
    k.put(readOnly ? "ld.global.nc.b32" : "ld.global.b32", value, at(from, 0));
    k.storeWord(word, value);
    return k.finish(this, THREADS);
  }
}
