/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
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

  /** A barrier object, and what keeps shared memory in units. */
  private static final int BARRIER_BYTES = 16;

  private static final String ARRIVE = "mbarrier.arrive.expect_tx.shared::cta.b64";
  private static final String COPY =
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
  private static final String TRY = "mbarrier.try_wait.parity.shared::cta.b64";

  /** Loads that are on their way together: what a compiler makes of a loop over units. */
  private static final int UNROLLED = 4;

  /** How units reach shared memory. */
  public enum Way {
    /** Loaded to registers, four at a time, and stored from there. */
    SYNCHRONOUS,
    /** By {@code cp.async.ca}, through the first-level cache. */
    ASYNC_ALL_CACHES,
    /** By {@code cp.async.cg}, past the first-level cache; 16 bytes alone. */
    ASYNC_PAST_FIRST_CACHE,
    /** All units of a block by one {@code cp.async.bulk}, which one thread starts. */
    BULK
  }

  @Override
  public String entryName() {
    return "survey_tile_%s_v%d_u%d"
        .formatted(way.name().toLowerCase(Locale.ROOT), unitBytes, unitsPerThread);
  }

  /** Returns the shared memory of a block. */
  public int sharedBytes() {
    return tileBytes() + (way == Way.BULK ? BARRIER_BYTES : 0);
  }

  /** Returns the bytes that a block copies. */
  public int tileBytes() {
    return THREADS * unitBytes * unitsPerThread;
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k = new SurveyWriter(THREADS, KernelParameter.INPUT, KernelParameter.OUTPUT);
    Register tile = k.dynamicShared(sharedBytes());
    Register first = k.b32("mad.lo.u32", k.block, THREADS * unitsPerThread, k.thread);
    Register from = k.global(KernelParameter.INPUT, first, unitBytes);
    Register to = k.b32("mad.lo.u32", k.thread, unitBytes, tile);
    switch (way) {
      case SYNCHRONOUS -> copyThroughRegisters(k, from, to);
      case BULK -> copyBulk(k, from, tile);
      default -> copyAsync(k, from, to);
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

  private void copyAsync(SurveyWriter k, Register from, Register to) {
    k.needs(PtxTarget.AMPERE);
    String copy = way == Way.ASYNC_ALL_CACHES ? "cp.async.ca" : "cp.async.cg";
    for (int i = 0; i < unitsPerThread; i++) {
      int offset = i * THREADS * unitBytes;
      k.put(copy + ".shared.global", at(to, offset), at(from, offset), unitBytes);
    }
    k.put("cp.async.wait_all");
  }

  /** The barrier object, which counts bytes, lies behind the tile. */
  private void copyBulk(SurveyWriter k, Register from, Register tile) {
    k.needs(PtxTarget.HOPPER);
    Register barrier = k.add(tile, tileBytes());
    Register leader = k.test("setp.eq.u32", k.thread, 0);
    k.putIf(leader, "mbarrier.init.shared::cta.b64", at(barrier, 0), 1);
    // The copy engine has to see the barrier object as well, and all threads before they wait.
    k.putIf(leader, "fence.proxy.async.shared::cta");
    k.put("bar.sync", 0);
    k.where(
        leader,
        "started",
        () -> {
          k.put(ARRIVE, new Symbol("_"), at(barrier, 0), tileBytes());
          k.put(COPY, at(tile, 0), at(from, 0), tileBytes(), at(barrier, 0));
        });
    Symbol again = k.label("wait");
    k.place(again);
    Register complete = k.test(TRY, at(barrier, 0), 0);
    k.putUnless(complete, "bra", again);
    k.put("bar.sync", 0);
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
