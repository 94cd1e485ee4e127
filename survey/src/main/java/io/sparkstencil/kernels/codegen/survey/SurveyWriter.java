/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.KernelKey;
import java.nio.ByteBuffer;
import java.util.List;

/** A kernel of the survey that is being written: its threads have numbers in block and grid. */
final class SurveyWriter extends KernelWriter {
  static final int WORD = Integer.BYTES;

  /** The thread's number in its block. */
  final Register thread;

  /** The block's number in its grid. */
  final Register block;

  private final int threads;
  private PtxTarget target = PtxTarget.VOLTA;
  private int staticSharedBytes;
  private int dynamicSharedBytes;
  private ByteBuffer weights; // or null

  SurveyWriter(int threads, KernelParameter... parameters) {
    super(List.of(parameters));
    this.threads = threads;
    thread = b32("mov.u32", Symbol.TID_X);
    block = b32("mov.u32", Symbol.CTAID_X);
  }

  /** Says that the text needs a later device than the first. */
  void needs(PtxTarget newTarget) {
    target = newTarget;
  }

  /** Returns the thread's number in its grid. */
  Register index() {
    return b32("mad.lo.u32", block, threads, thread);
  }

  /** Returns the thread's number in its warp. */
  Register lane() {
    return b32("and.b32", thread, 31);
  }

  /** Declares shared memory of a fixed size; returns its address. */
  Register shared(int bytes) {
    staticSharedBytes = bytes;
    declare(".shared .align 16 .b8 tile[%d]".formatted(bytes));
    return b32("mov.u32", new Symbol("tile"));
  }

  /** Declares shared memory whose size the launch says; returns its address. */
  Register dynamicShared(int bytes) {
    dynamicSharedBytes = bytes;
    declare(".extern .shared .align 16 .b8 tile[]");
    return b32("mov.u32", new Symbol("tile"));
  }

  /** Has launches take shared memory that the text does not use. */
  void occupy(int bytes) {
    dynamicSharedBytes = bytes;
  }

  /** Declares memory of each thread's own; returns its address. */
  Register local(String name, int bytes) {
    put(".local .align 16 .b8 %s[%d]".formatted(name, bytes));
    return b64("mov.u64", new Symbol(name));
  }

  /** Says what to upload for {@link KernelParameter#WEIGHTS}. */
  void weights(ByteBuffer cells) {
    weights = cells;
  }

  /** Adds words to a sum. */
  void addAll(Register sum, List<Register> words) {
    words.forEach(word -> put("add.s32", sum, sum, word));
  }

  /** Writes a loop of {@code turns} turns. */
  void repeat(int turns, Runnable turn) {
    Register left = b32("mov.u32", turns);
    loop(
        "turn",
        "done",
        () -> test("setp.eq.u32", left, 0),
        () -> {
          turn.run();
          put("sub.u32", left, left, 1);
        });
  }

  /** Stores a word as the result of the thread of that number. */
  void storeWord(Register index, Register word) {
    put("st.global.b32", at(global(KernelParameter.OUTPUT, index, WORD), 0), word);
  }

  /** Returns registers for a unit of 4, 8 or 16 bytes. */
  List<Register> unit(int bytes) {
    return registers(PtxType.B32, bytes / WORD);
  }

  GeneratedKernel finish(KernelKey key, int outputsPerBlock) {
    put("ret");
    String ptx = finish(target, key.entryName(), List.of(".maxntid %d, 1, 1".formatted(threads)));
    return new GeneratedKernel(
        key.entryName(),
        ptx,
        threads,
        outputsPerBlock,
        staticSharedBytes,
        dynamicSharedBytes,
        parameters(),
        weights);
  }
}
