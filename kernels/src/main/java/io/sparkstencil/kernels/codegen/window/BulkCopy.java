/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;

/**
 * One copy of consecutive bytes into shared memory by the bulk copy engine of sm_90, which a single
 * thread starts. A barrier object in shared memory, which counts bytes, says when it has ended;
 * each use of that object is the next phase of it.
 */
final class BulkCopy {
  private static final String ARRIVE = "mbarrier.arrive.expect_tx.shared::cta.b64";
  private static final String COPY =
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
  private static final String TRY = "mbarrier.try_wait.parity.shared::cta.b64";

  private final WindowKernel k;
  private final Register policy;
  private final Register barrier;
  private final Register leader;
  private final Register parity;

  /**
   * Reserves the barrier object and writes code that prepares it; all threads have to pass.
   *
   * @param policy the policy for the second-level cache, or null
   */
  BulkCopy(WindowKernel kernel, Register policy) {
    this.k = kernel;
    this.policy = policy;
    this.barrier = k.sharedAddress(k.reserveShared(8));
    this.leader = k.test("setp.eq.u32", k.thread, 0);
    this.parity = k.b32("mov.u32", 0);
    k.putIf(leader, "mbarrier.init.shared::cta.b64", at(barrier, 0), 1);
    // The copy engine has to see the barrier object as well.
    k.putIf(leader, "fence.proxy.async.shared::cta");
  }

  /**
   * Starts a copy of {@code bytes}, a multiple of 16, between addresses that are multiples of 16.
   */
  void start(Register source, Register target, int bytes) {
    Symbol started = k.label("bulkstarted");
    k.putUnless(leader, "bra", started);
    k.put(ARRIVE, new Symbol("_"), at(barrier, 0), bytes);
    String copy = COPY + (policy == null ? "" : ".L2::cache_hint");
    k.put(copy, at(target, 0), at(source, 0), bytes, at(barrier, 0), policy);
    k.place(started);
  }

  /**
   * Waits for the copy where {@code wasStarted} holds. A barrier of the block has to lie between
   * the preparation and the first wait.
   */
  void awaitIf(Register wasStarted) {
    Symbol again = k.label("bulkwait");
    Symbol there = k.label("bulkthere");
    k.putUnless(wasStarted, "bra", there);
    k.place(again);
    Register complete = k.test(TRY, at(barrier, 0), parity);
    k.putUnless(complete, "bra", again);
    k.put("xor.b32", parity, parity, 1);
    k.place(there);
  }
}
