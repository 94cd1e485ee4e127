/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.sort;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import java.util.List;

/**
 * Makes numbers of the floating-point numbers in the words of {@link KernelParameter#INPUT}, which
 * are ordered as these are: {@link io.sparkstencil.engine.RowSort.Key}. A thread takes a row.
 */
final class NumberKernel {
  private static final long INFINITY = 0x7FF0000000000000L;
  private static final long NAN = 0x7FF8000000000000L;

  private NumberKernel() {}

  static GeneratedKernel generate(SortTask task) {
    KernelWriter k =
        new KernelWriter(
            List.of(KernelParameter.INPUT, KernelParameter.OUTPUT, KernelParameter.ROWS));
    return RowCode.ofRows(
        task,
        k,
        row -> {
          Register column = k.global(KernelParameter.INPUT, row, Long.BYTES);
          Register word = k.make(PtxType.B64, "ld.global.nc.b64", at(column, 0));
          Register bits = task == SortTask.FLOAT_NUMBERS ? ofFloat(k, word) : word;
          Register target = k.global(KernelParameter.OUTPUT, row, Long.BYTES);
          k.put("st.global.b64", at(target, 0), number(k, bits));
        });
  }

  /** Returns the bits of the double that equals a float. */
  private static Register ofFloat(KernelWriter k, Register word) {
    Register single = k.make(PtxType.F32, "mov.b32", k.b32("cvt.u32.u64", word));
    return k.b64("mov.b64", k.make(PtxType.F64, "cvt.f64.f32", single));
  }

  private static Register number(KernelWriter k, Register bits) {
    Register magnitude = k.b64("and.b64", bits, k.b64("mov.u64", Long.MAX_VALUE));
    Register zero = k.b64("mov.u64", 0);
    Register isZero = k.test("setp.eq.u64", magnitude, zero);
    Register isNan = k.test("setp.gt.u64", magnitude, k.b64("mov.u64", INFINITY));
    Register known = k.select(zero, bits, isZero);
    Register same = k.select(k.b64("mov.u64", NAN), known, isNan);
    Register sign = k.b64("shr.s64", same, Long.SIZE - 1); // in all bits
    Register reversed = k.b64("shr.u64", sign, 1); // all but the sign, or none
    return k.b64("xor.b64", same, reversed);
  }
}
