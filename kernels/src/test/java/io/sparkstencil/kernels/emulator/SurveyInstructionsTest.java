/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Instructions that only kernels of the survey have: local memory, bulk copies, textures. */
class SurveyInstructionsTest {
  private static final String[] START_BULK = {
    "mov.u32 %r3, tile;",
    "setp.eq.u32 %p0, %r0, 0;",
    "@%p0 mbarrier.init.shared::cta.b64 [%r3+512], 1;",
    "@%p0 fence.proxy.async.shared::cta;",
    "bar.sync 0;",
    "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3+512], 256;",
    "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r3], [%rd2], 256, [%r3+512];"
  };

  private static final String ARRIVE = "@%p3 mbarrier.arrive.shared::cta.b64 _, [%r3+512];";

  private static String lines(String... lines) {
    return String.join("\n", lines);
  }

  @Test
  void eachThreadHasLocalMemoryOfItsOwn() {
    SmallKernel kernel =
        SmallKernel.storing(
            ".local .align 16 .b8 own[16];",
            "mov.u64 %rd4, own;",
            "st.local.b32 [%rd4+8], %r0;",
            "ld.local.b32 %r2, [%rd4+8];");

    assertThat(kernel.run(2, 64)).startsWith(0, 1, 2).containsSequence(62, 63);
  }

  @Test
  void localMemoryThatNobodyHasWrittenIsNotStored() {
    SmallKernel kernel =
        SmallKernel.storing(
            ".local .align 16 .b8 own[16];", "mov.u64 %rd4, own;", "ld.local.b32 %r2, [%rd4];");

    assertThatThrownBy(() -> kernel.run(1, 32)).hasMessageContaining("has not been written");
  }

  @Test
  void localMemoryEnds() {
    SmallKernel kernel =
        SmallKernel.storing(
            ".local .align 16 .b8 own[16];", "mov.u64 %rd4, own;", "ld.local.b32 %r2, [%rd4+16];");

    assertThatThrownBy(() -> kernel.run(1, 32)).hasMessageContaining("4 bytes at 16 of 16 local");
  }

  @Test
  void aBulkCopyArrivesWhenItIsWaitedFor() {
    SmallKernel kernel =
        SmallKernel.storing(
            lines(START_BULK),
            "$wait:",
            "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3+512], 0;",
            "@!%p1 bra $wait;",
            "bar.sync 0;",
            "ld.shared.b32 %r2, [%r1];");

    assertThat(kernel.run(1, 64)).startsWith(0, 1, 2).containsSequence(62, 63);
  }

  @Test
  void aBulkCopyThatNobodyWaitsForIsAFault() {
    SmallKernel kernel =
        SmallKernel.storing(lines(START_BULK), "bar.sync 0;", "ld.shared.b32 %r2, [%r1];");

    assertThatThrownBy(() -> kernel.run(1, 64)).hasMessageContaining("is still copying");
  }

  /** Each warp writes a word, arrives, and reads that of the other one behind its wait. */
  @Test
  void warpsSeeWhatOthersHaveWrittenBeforeTheyArrived() {
    assertThat(exchanging(ARRIVE).run(1, 64)).startsWith(32, 33).containsSequence(63, 0, 1);
  }

  @Test
  void aBarrierObjectThatNotAllReachIsAFault() {
    assertThatThrownBy(() -> exchanging("").run(1, 64)).hasMessageContaining("not all threads");
  }

  @Test
  void whatIsWrittenBehindAnArrivalIsNotSeen() {
    SmallKernel kernel = exchanging(ARRIVE + "\nst.shared.b32 [%r1], %r0;");
    assertThatThrownBy(() -> kernel.run(1, 64)).hasMessageContaining("without a barrier between");
  }

  @Test
  void aBarrierObjectIsThereBehindABarrier() {
    assertThatThrownBy(() -> exchanging("", ARRIVE, "").run(1, 64))
        .hasMessageContaining("uses shared word 512")
        .hasMessageContaining("without a barrier between");
  }

  /** Others would not see what lies behind the wait. */
  @Test
  void aLaneThatWaitsForItsWarpIsAFault() {
    assertThatThrownBy(() -> exchanging("bar.sync 0;", ARRIVE, "@%p3 ").run(1, 64))
        .hasMessageContaining("waits at a barrier object without others of its warp");
  }

  private static SmallKernel exchanging(String arrive) {
    return exchanging("bar.sync 0;", arrive, "");
  }

  private static SmallKernel exchanging(String afterInit, String arrive, String who) {
    return SmallKernel.storing(
        "mov.u32 %r3, tile;",
        "setp.eq.u32 %p0, %r0, 0;",
        "@%p0 mbarrier.init.shared::cta.b64 [%r3+512], 2;",
        afterInit,
        "st.shared.b32 [%r1], %r0;",
        "bar.warp.sync -1;",
        "and.b32 %r4, %r0, 31;",
        "setp.eq.u32 %p3, %r4, 0;",
        arrive,
        "$wait:",
        "setp.ge.u32 %p1, %r0, 0;",
        who + "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r3+512], 0;",
        "@!%p1 bra $wait;",
        "xor.b32 %r5, %r0, 32;",
        "mad.lo.u32 %r5, %r5, 4, %r3;",
        "ld.shared.b32 %r2, [%r5];");
  }

  @Test
  void aTextureGivesTheCellOfANumber() {
    SmallKernel kernel =
        SmallKernel.storing(
            "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%rd0, {%r0}];", "mov.b32 %r2, %f0;");

    assertThat(kernel.run(1, 64)).startsWith(0, 1, 2).containsSequence(62, 63);
  }

  @Test
  void aClockGoesOn() {
    SmallKernel kernel =
        SmallKernel.storing(
            "mov.u64 %rd4, %clock64;",
            "mov.u64 %rd5, %clock64;", "sub.s64 %rd5, %rd5, %rd4;", "mov.b64 {%r2, %r4}, %rd5;");

    assertThat(kernel.run(1, 32)).startsWith(1, 1, 1);
  }
}
