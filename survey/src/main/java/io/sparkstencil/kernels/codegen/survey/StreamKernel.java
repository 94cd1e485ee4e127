/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.variant.CacheHints;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Goes once over memory, neighbouring threads in neighbouring units. Parameters: {@link
 * KernelParameter#INPUT} and {@link KernelParameter#OUTPUT}; outputs are units.
 *
 * @param task what is done with each unit
 * @param unitBytes bytes of a load or store: 4, 8 or 16
 * @param unitsPerThread units of one thread, all loaded before the first is stored
 * @param hints what loads and stores tell the caches
 * @param threads threads of a block
 * @param sharedBytes shared memory that a block takes and leaves unused, so that fewer blocks fit
 */
public record StreamKernel(
    Task task, int unitBytes, int unitsPerThread, CacheHints hints, int threads, int sharedBytes)
    implements SurveyKernel {
  /** What is done with units. */
  public enum Task {
    /** Copied. */
    COPY,
    /** Read; each thread stores the sum of its words, without a carry. */
    READ,
    /** Written: each word with the number of its unit. */
    WRITE
  }

  @Override
  public String entryName() {
    return "survey_%s_v%d_u%d_%s_b%d_s%d"
        .formatted(
            task.name().toLowerCase(Locale.ROOT),
            unitBytes,
            unitsPerThread,
            hints.label(),
            threads,
            sharedBytes);
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k = new SurveyWriter(threads, KernelParameter.INPUT, KernelParameter.OUTPUT);
    k.occupy(sharedBytes);
    Register first = k.b32("mad.lo.u32", k.block, threads * unitsPerThread, k.thread);
    List<List<Register>> units = task == Task.WRITE ? numbers(k, first) : load(k, first);
    if (task == Task.READ) {
      Register sum = k.b32("mov.u32", 0);
      units.forEach(unit -> k.addAll(sum, unit));
      k.storeWord(k.index(), sum);
    } else {
      Register to = k.global(KernelParameter.OUTPUT, first, unitBytes);
      for (int i = 0; i < unitsPerThread; i++) {
        k.store("st.global" + hints.store(), at(to, unitBytes * i * threads), units.get(i));
      }
    }
    return k.finish(this, threads * unitsPerThread);
  }

  private List<List<Register>> load(SurveyWriter k, Register first) {
    Register from = k.global(KernelParameter.INPUT, first, unitBytes);
    List<List<Register>> units = new ArrayList<>();
    for (int i = 0; i < unitsPerThread; i++) {
      units.add(k.unit(unitBytes));
      k.load("ld.global" + hints.load(), units.get(i), at(from, unitBytes * i * threads));
    }
    return units;
  }

  private List<List<Register>> numbers(SurveyWriter k, Register first) {
    List<List<Register>> units = new ArrayList<>();
    for (int i = 0; i < unitsPerThread; i++) {
      Register number = k.add(first, i * threads);
      units.add(Collections.nCopies(unitBytes / SurveyWriter.WORD, number));
    }
    return units;
  }
}
