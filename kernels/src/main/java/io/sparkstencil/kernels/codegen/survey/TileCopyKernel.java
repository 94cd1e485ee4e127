/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.ptx.Register;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Copies a part of global memory to shared memory, each thread its own units; then each thread
 * stores the sum of its words. Parameters: {@link KernelParameter#INPUT} and {@link
 * KernelParameter#OUTPUT}.
 *
 * @param way through registers or not
 * @param unitBytes bytes of a load or of an asynchronous copy: 4, 8 or 16
 * @param unitsPerThread units of a thread
 */
public record TileCopyKernel(Way way, int unitBytes, int unitsPerThread) implements SurveyKernel {
  /** Threads of a block. */
  public static final int THREADS = 128;

  /** Loads that are on their way together: what a compiler makes of a loop over units. */
  private static final int UNROLLED = 4;

  /** How units reach shared memory. */
  public enum Way {
    /** Loaded to registers, four at a time, and stored from there. */
    SYNCHRONOUS,
    /** By {@code cp.async.ca}, through the first-level cache. */
    ASYNC_ALL_CACHES,
    /** By {@code cp.async.cg}, past the first-level cache; 16 bytes alone. */
    ASYNC_PAST_FIRST_CACHE
  }

  @Override
  public String entryName() {
    return "survey_tile_%s_v%d_u%d"
        .formatted(way.name().toLowerCase(Locale.ROOT), unitBytes, unitsPerThread);
  }

  /** Returns the shared memory of a block. */
  public int sharedBytes() {
    return THREADS * unitBytes * unitsPerThread;
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k = new SurveyWriter(THREADS, KernelParameter.INPUT, KernelParameter.OUTPUT);
    Register tile = k.dynamicShared(sharedBytes());
    Register first = k.b32("mad.lo.u32", k.block, THREADS * unitsPerThread, k.thread);
    Register from = k.global(KernelParameter.INPUT, first, unitBytes);
    Register to = k.b32("mad.lo.u32", k.thread, unitBytes, tile);
    if (way == Way.SYNCHRONOUS) {
      copyThroughRegisters(k, from, to);
    } else {
      k.needs(PtxTarget.AMPERE);
      String cache = way == Way.ASYNC_ALL_CACHES ? "ca" : "cg";
      for (int i = 0; i < unitsPerThread; i++) {
        int offset = i * THREADS * unitBytes;
        k.put("cp.async." + cache + ".shared.global", at(to, offset), at(from, offset), unitBytes);
      }
      k.put("cp.async.wait_all");
    }
    Register sum = k.b32("mov.u32", 0);
    for (int i = 0; i < unitsPerThread; i++) {
      List<Register> unit = k.unit(unitBytes);
      k.load("ld.shared", unit, at(to, i * THREADS * unitBytes));
      k.addAll(sum, unit);
    }
    k.storeWord(k.index(), sum);
    return k.finish(this, THREADS);
  }

  private void copyThroughRegisters(SurveyWriter k, Register from, Register to) {
    for (int start = 0; start < unitsPerThread; start += UNROLLED) {
      List<List<Register>> units = new ArrayList<>();
      int end = Math.min(unitsPerThread, start + UNROLLED);
      for (int i = start; i < end; i++) {
        List<Register> unit = k.unit(unitBytes);
        k.load("ld.global", unit, at(from, i * THREADS * unitBytes));
        units.add(unit);
      }
      for (int i = start; i < end; i++) {
        k.store("st.volatile.shared", at(to, i * THREADS * unitBytes), units.get(i - start));
      }
    }
  }
}
