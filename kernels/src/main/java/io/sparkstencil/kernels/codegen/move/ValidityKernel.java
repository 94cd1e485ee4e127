/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.move;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelArguments;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxWriter;
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
  private static final List<KernelParameter> PARAMETERS =
      List.of(KernelParameter.INPUT, KernelParameter.OUTPUT, KernelParameter.POSITIONS);

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
    PtxWriter k = new PtxWriter();
    KernelArguments arguments = new KernelArguments(k, PARAMETERS);
    Register input = arguments.argument(KernelParameter.INPUT);
    Register output = arguments.argument(KernelParameter.OUTPUT);
    Register positions = arguments.argument(KernelParameter.POSITIONS);
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    Register cell = k.b32("mad.lo.u32", block, Literal.of(THREADS), thread);
    Register inside = k.test("setp.lt.u32", cell, positions);
    Register word = k.b32("shr.u32", cell, Literal.of(5));
    Register lane = k.b32("and.b32", cell, Literal.of(31));
    if (task == Task.EXPAND) {
      Register bits = k.b32("mov.u32", Literal.of(0));
      Register from = k.b64("mad.wide.u32", word, Literal.of(4), input);
      k.putIf(inside, "ld.global.b32", bits, Address.at(from, 0));
      Register shifted = k.b32("shr.u32", bits, lane);
      Register bit = k.b32("and.b32", shifted, Literal.of(1));
      Register to = k.b64("mad.wide.u32", cell, Literal.of(1), output);
      k.putIf(inside, "st.global.u8", Address.at(to, 0), bit);
    } else {
      Register there = k.b32("mov.u32", Literal.of(0));
      Register from = k.b64("mad.wide.u32", cell, Literal.of(1), input);
      k.putIf(inside, "ld.global.u8", there, Address.at(from, 0));
      Register isThere = k.test("setp.ne.u32", there, Literal.of(0));
      Register bits = k.b32("vote.sync.ballot.b32", isThere, new Symbol("0xffffffff"));
      Register to = k.b64("mad.wide.u32", word, Literal.of(4), output);
      Register first = k.test("setp.eq.and.u32", lane, Literal.of(0), inside);
      k.putIf(first, "st.global.b32", Address.at(to, 0), bits);
    }
    return GeneratedKernel.finish(k, task, THREADS, THREADS, 0, PARAMETERS);
  }
}
