/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Each fault that a device may hide is reported, with where it is; what is right is not. */
final class EmulatorFaultTest {
  private static final int WARP = 32;

  private static void requireFault(SmallKernel kernel, int blocks, int threads, String... parts) {
    assertThatThrownBy(() -> kernel.run(blocks, threads))
        .isInstanceOf(EmulatorFault.class)
        .hasMessageContainingAll(parts);
  }

  @Test
  void anUnknownInstructionIsNamed() {
    assertThatThrownBy(() -> new SmallKernel("brev.b32 %r2, %r0;"))
        .isInstanceOf(EmulatorFault.class)
        .hasMessageContainingAll("brev.b32 %r2, %r0", "unknown");
  }

  @Test
  void aStoreBehindAnArrayIsOutside() {
    SmallKernel kernel = new SmallKernel("st.global.b32 [%rd3+4], %r0;");
    requireFault(kernel, 1, 256, "small, block (0,0), warp 7", "lane 31", "outside", "[%rd3+4]");
  }

  @Test
  void aVectorAcrossItsAlignmentIsMisaligned() {
    SmallKernel kernel = new SmallKernel("ld.global.v2.b32 {%r2, %r3}, [%rd2];");
    requireFault(kernel, 1, WARP, "lane 1", "8 bytes", "misaligned");
  }

  @Test
  void sharedAccessesStayInsideTheirBlock() {
    SmallKernel kernel = new SmallKernel("st.shared.b32 [%r1+900], %r0;");
    requireFault(kernel, 1, WARP, "lane 31", "4 bytes at 1024 of 1024 shared ones");
  }

  @Test
  void aResultOfARegisterThatNobodyWroteIsNotStored() {
    SmallKernel kernel = SmallKernel.storing("add.s32 %r2, %r0, %r7;");
    requireFault(kernel, 1, WARP, "lane 0", "%r2", "not been written");
  }

  @Test
  void aResultOfMemoryThatNobodyWroteIsNotStored() {
    SmallKernel shared = SmallKernel.storing("ld.shared.b32 %r2, [%r1];");
    requireFault(shared, 1, WARP, "%r2", "not been written");
    SmallKernel global = SmallKernel.storing("ld.global.b32 %r2, [%rd3];");
    requireFault(global, 1, WARP, "%r2", "not been written");
  }

  @Test
  void aWarpThatReadsWhatAnotherWroteNeedsABarrierOfTheBlock() {
    String write = "setp.lt.u32 %p0, %r0, 32;\n@%p0 st.shared.b32 [%r1], %r0;";
    String read =
        """
        and.b32 %r3, %r0, 31;
        mov.u32 %r4, tile;
        mad.lo.s32 %r4, %r3, 4, %r4;
        ld.shared.b32 %r2, [%r4];
        """;
    SmallKernel racing = SmallKernel.storing(write, "bar.warp.sync -1;", read);
    requireFault(racing, 1, 64, "warp 1", "lane 0 reads shared word 0", "lane 0 of warp 0");
    assertThat(SmallKernel.storing(write, "bar.sync 0;", read).run(1, 64)[63]).isEqualTo(31);
  }

  @Test
  void aWriteOverWhatAnotherWarpReadsNeedsABarrier() {
    String read =
        "st.shared.b32 [%r1], %r0;\nbar.sync 0;\nmov.u32 %r3, tile;\nld.shared.b32 %r2, [%r3+128];";
    String write = "setp.lt.u32 %p0, %r0, 32;\n@!%p0 st.shared.b32 [%r1], 7;";
    requireFault(
        SmallKernel.storing(read, write), 1, 64, "warp 1", "writes shared", "warp 0 has read");
    assertThat(SmallKernel.storing(read, "bar.sync 1;", write).run(1, 64)).startsWith(32, 32);
  }

  @Test
  void lanesOfAWarpNeedABarrierOfTheWarp() {
    String write = "st.shared.b32 [%r1], %r0;";
    String read =
        "xor.b32 %r3, %r0, 1;\n"
            + "mov.u32 %r4, tile;\n"
            + "mad.lo.s32 %r4, %r3, 4, %r4;\n"
            + "ld.shared.b32 %r2, [%r4];";
    requireFault(SmallKernel.storing(write, read), 1, WARP, "lane 0", "lane 1 of warp 0");
    assertThat(SmallKernel.storing(write, "bar.warp.sync -1;", read).run(1, WARP))
        .startsWith(1, 0, 3, 2);
  }

  @Test
  void blocksOfALaunchDoNotReadWhatOthersWrite() {
    SmallKernel kernel =
        new SmallKernel(
            "mov.u32 %r2, %ctaid.x;",
            "mad.wide.u32 %rd4, %r2, 4, %rd1;",
            "st.global.b32 [%rd4], %r2;",
            "ld.global.b32 %r3, [%rd1];");
    requireFault(kernel, 2, 1, "block (1,0)", "another block of the launch has written");
  }

  @Test
  void aCopyIsThereWhenItHasBeenWaitedFor() {
    String copy =
        "mul.lo.s32 %r3, %r0, 16;\n"
            + "mad.wide.u32 %rd4, %r0, 16, %rd0;\n"
            + "cp.async.cg.shared.global [%r3], [%rd4], 16;\n"
            + "cp.async.commit_group;";
    String read = "ld.shared.b32 %r2, [%r3+4];";
    requireFault(SmallKernel.storing(copy, read), 1, WARP, "still copying");
    requireFault(
        SmallKernel.storing(copy, "cp.async.wait_group 1;", read), 1, WARP, "still copying");
    assertThat(SmallKernel.storing(copy, "cp.async.wait_group 0;", read).run(1, WARP))
        .startsWith(1, 5, 9);
  }

  @Test
  void aBarrierInDivergentCodeIsAFault() {
    SmallKernel kernel = new SmallKernel("setp.lt.u32 %p0, %r0, 5;", "@%p0 bar.sync 0;");
    requireFault(kernel, 1, WARP, "divergent", "0000001f of ffffffff");
  }

  @Test
  void aBarrierThatAWarpNeverReachesIsAFault() {
    SmallKernel kernel =
        new SmallKernel("setp.lt.u32 %p0, %r0, 32;", "@%p0 bra $end;", "bar.sync 0;", "$end:");
    requireFault(kernel, 1, 64, "not all threads reach", "warp 1 waits at barrier 0 with 32 of 64");
  }

  @Test
  void aShuffleWithoutAllLanesIsAFault() {
    SmallKernel kernel =
        new SmallKernel(
            "setp.lt.u32 %p0, %r0, 5;",
            "@%p0 bra $end;", "shfl.sync.down.b32 %r2, %r0, 1, 31, 4294967295;", "$end:");
    requireFault(kernel, 1, WARP, "lanes ffffffe0 wait for lanes 0000001f");
  }

  /** Lanes that left a loop one after the other are not together by themselves. */
  @Test
  void aProductOfLanesThatHavePartedIsAFault() {
    String part =
        """
        mov.f64 %fd0, 0d0000000000000000;
        mov.u32 %r2, %r0;
        $again:
        sub.u32 %r2, %r2, 1;
        setp.gt.s32 %p0, %r2, 0;
        @%p0 bra $again;
        """;
    String product =
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64"
            + " {%fd0, %fd0}, {%fd0}, {%fd0}, {%fd0, %fd0};";
    requireFault(new SmallKernel(part, product), 1, WARP, "parted", "mma.sync");
    new SmallKernel(part, "bar.warp.sync -1;", product).run(1, WARP);
    new SmallKernel(part, "bar.sync 0;", product).run(1, WARP);
    new SmallKernel("mov.f64 %fd0, 0d0000000000000000;", "bra $on;", "$on:", product).run(1, WARP);
  }

  @Test
  void aLoopWithoutAnEndIsAFault() {
    SmallKernel kernel = new SmallKernel("$again:", "bra $again;");
    requireFault(kernel, 1, WARP, "without an end", "bra $again");
  }

  @Test
  void aBranchOnWhatNobodyWroteIsAFault() {
    SmallKernel kernel = new SmallKernel("@%p3 bra $end;", "$end:");
    requireFault(kernel, 1, WARP, "%p3", "not been written");
  }
}
