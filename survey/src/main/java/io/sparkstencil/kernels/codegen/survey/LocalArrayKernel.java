/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Register;

/**
 * Fills an array of its own in each thread, word j with the thread's input plus 3 j, and reads all
 * words in the order of 5 t modulo their number: sum = 31 sum + word. Indices that are not known to
 * the compiler keep the array in local memory. Parameters: {@link KernelParameter#INPUT}, {@link
 * KernelParameter#OUTPUT} and {@link KernelParameter#SHIFT}, which is 5.
 *
 * @param words of the array, a power of two
 * @param kept whether there is an array; else words are computed again, with the same loop
 */
public record LocalArrayKernel(int words, boolean kept) implements SurveyKernel {
  /** Threads of a block. */
  public static final int THREADS = 256;

  /** The argument {@link KernelParameter#SHIFT}. */
  public static final int STEP = 5;

  @Override
  public String entryName() {
    return "survey_local_%d_%s".formatted(words, kept ? "kept" : "computed");
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k =
        new SurveyWriter(
            THREADS, KernelParameter.INPUT, KernelParameter.OUTPUT, KernelParameter.SHIFT);
    Register index = k.index();
    Register input = k.b32("mov.u32", 0);
    Register from = k.global(KernelParameter.INPUT, index, SurveyWriter.WORD);
    k.put("ld.global.b32", input, at(from, 0));
    Register array = kept ? k.local("array", words * SurveyWriter.WORD) : null;
    if (kept) {
      fill(k, array, input);
    }
    Register sum = k.b32("mov.u32", 0);
    Register step = k.argument(KernelParameter.SHIFT);
    Register product = k.b32("mov.u32", 0);
    k.repeat(
        words,
        () -> {
          k.keepRolled();
          Register word = k.b32("and.b32", product, words - 1);
          Register value;
          if (kept) {
            value = k.b32("ld.local.b32", at(k.b64("mad.wide.u32", word, 4, array), 0));
          } else {
            value = k.b32("mad.lo.s32", word, 3, input);
          }
          k.put("mad.lo.s32", sum, sum, 31, value);
          k.put("add.s32", product, product, step);
        });
    k.storeWord(index, sum);
    return k.finish(this, THREADS);
  }

  private void fill(SurveyWriter k, Register array, Register input) {
    Register to = k.b64("mov.u64", array);
    Register value = k.b32("mov.u32", input);
    k.repeat(
        words,
        () -> {
          k.keepRolled();
          k.put("st.local.b32", at(to, 0), value);
          k.put("add.s64", to, to, SurveyWriter.WORD);
          k.put("add.s32", value, value, 3);
        });
  }
}
