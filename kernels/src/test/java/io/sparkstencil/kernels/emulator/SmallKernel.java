/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.cuda.LaunchShape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A kernel of a few lines for tests. It has an array {@code in} and an array {@code out}, whose
 * addresses are in {@code %rd0} and {@code %rd1}, and {@code tile}, 1024 bytes of shared memory; in
 * each thread {@code %rd2} and {@code %rd3} are the addresses of its own word of both, {@code %r0}
 * is its number in the block, and {@code %r1} the place of its own word of the tile.
 */
final class SmallKernel {
  static final int WORDS = 256;

  private final PtxKernel kernel;
  private final DeviceMemory memory = new DeviceMemory();
  private final Emulator emulator = new Emulator(memory);
  private final long in = memory.allocate(WORDS * Integer.BYTES);
  private final long out = memory.allocate(WORDS * Integer.BYTES);

  /** Creates a kernel whose last lines are given. */
  SmallKernel(String... lines) {
    String head =
        """
        .version 7.0
        .target sm_80
        .address_size 64

        .shared .align 16 .b8 tile[1024];
        .visible .entry small(
          .param .u64 in,
          .param .u64 out
        )
        .maxntid 256, 1, 1
        {
          .reg .pred %p<8>;
          .reg .b32 %r<16>;
          .reg .b64 %rd<16>;
          .reg .f32 %f<8>;
          .reg .f64 %fd<8>;

          ld.param.u64 %rd0, [in];
          ld.param.u64 %rd1, [out];
          mov.u32 %r0, %tid.x;
          mov.u32 %r1, tile;
          mad.lo.s32 %r1, %r0, 4, %r1;
          mad.wide.u32 %rd2, %r0, 4, %rd0;
          mad.wide.u32 %rd3, %r0, 4, %rd1;
        """;
    kernel = PtxKernel.parse(head + String.join("\n", lines) + "\n  ret;\n}\n");
    ByteBuffer words = ByteBuffer.allocate(WORDS * Integer.BYTES).order(ByteOrder.nativeOrder());
    for (int i = 0; i < WORDS; i++) {
      words.putInt(i);
    }
    memory.write(in, words.flip());
  }

  /** Returns a kernel whose threads store {@code %r2}. */
  static SmallKernel storing(String... lines) {
    return new SmallKernel(String.join("\n", lines), "st.global.b32 [%rd3], %r2;");
  }

  DeviceMemory memory() {
    return memory;
  }

  /** Replaces the words of the first array, which are their own numbers. */
  void input(List<Integer> words) {
    ByteBuffer bytes =
        ByteBuffer.allocate(words.size() * Integer.BYTES).order(ByteOrder.nativeOrder());
    words.forEach(bytes::putInt);
    memory.write(in, bytes.flip());
  }

  /** Runs the kernel; returns the words of the second array. */
  int[] run(int blocks, int threads) {
    emulator.launchWithin(100_000, kernel, new LaunchShape(blocks, 1, threads, 0), in, out);
    int[] words = new int[WORDS];
    memory.view(out, WORDS * Integer.BYTES).asIntBuffer().get(words);
    return words;
  }
}
