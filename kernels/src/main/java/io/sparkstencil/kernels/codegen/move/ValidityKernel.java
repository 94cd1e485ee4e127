/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.move;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.KernelKey;
import java.util.List;
import java.util.Locale;

/**
 * Kernels between our validity bytes and the bits of columnar formats, which have bit {@code i %
 * 32} of word {@code i / 32} set if cell {@code i} is there. Parameters: {@link
 * KernelParameter#INPUT}, {@link KernelParameter#OUTPUT} and {@link KernelParameter#POSITIONS},
 * which counts cells.
 */
public final class ValidityKernel {
  private static final int THREADS = 128;

  /** The direction. */
  public enum Task implements KernelKey {
    /** Bits to bytes. */
    EXPAND,
    /** Bytes to bits; the bits after the last cell are 0. */
    COMPRESS;

    @Override
    public String entryName() {
      return "validity_" + name().toLowerCase(Locale.ROOT);
    }
  }

  private ValidityKernel() {}

  /** Returns the kernel for a task. */
  public static GeneratedKernel generate(Task task) {
    KernelWriter k =
        new KernelWriter(
            List.of(KernelParameter.INPUT, KernelParameter.OUTPUT, KernelParameter.POSITIONS));
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    Register cell = k.b32("mad.lo.u32", block, THREADS, thread);
    Register inside = k.test("setp.lt.u32", cell, k.argument(KernelParameter.POSITIONS));
    Register word = k.b32("shr.u32", cell, 5);
    Register lane = k.b32("and.b32", cell, 31);
    Register loaded = k.b32("mov.u32", 0);
    if (task == Task.EXPAND) {
      Register from = k.global(KernelParameter.INPUT, word, 4);
      k.putIf(inside, "ld.global.b32", loaded, at(from, 0));
      Register bit = k.b32("and.b32", k.b32("shr.u32", loaded, lane), 1);
      Register to = k.global(KernelParameter.OUTPUT, cell, 1);
      k.putIf(inside, "st.global.u8", at(to, 0), bit);
    } else {
      Register from = k.global(KernelParameter.INPUT, cell, 1);
      k.putIf(inside, "ld.global.u8", loaded, at(from, 0));
      Register isThere = k.test("setp.ne.u32", loaded, 0);
      Register bits = k.b32("vote.sync.ballot.b32", isThere, new Symbol("0xffffffff"));
      Register to = k.global(KernelParameter.OUTPUT, word, 4);
      Register first = k.test("setp.eq.and.u32", lane, 0, inside);
      k.putIf(first, "st.global.b32", at(to, 0), bits);
    }
    return k.finish(task, THREADS, THREADS, 0);
  }
}
