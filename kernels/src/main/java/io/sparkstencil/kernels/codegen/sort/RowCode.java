/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.sort;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.function.Consumer;

/** Writes which row a thread takes, and what its digit is. */
final class RowCode {
  private RowCode() {}

  /** Returns the number of the thread in its grid. */
  private static Register rowOfThread(KernelWriter k) {
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    return k.b32("mad.lo.u32", block, SortTask.THREADS, thread);
  }

  /** Returns whether there is a row of that number. */
  static Register isInside(KernelWriter k, Register row) {
    return k.test("setp.lt.u32", row, k.argument(KernelParameter.ROWS));
  }

  /**
   * Finishes a kernel each of whose threads takes a row.
   *
   * @param work writes what is done with a row, whose number it takes
   */
  static GeneratedKernel ofRows(SortTask task, KernelWriter k, Consumer<Register> work) {
    Register row = rowOfThread(k);
    k.where(isInside(k, row), "norow", () -> work.accept(row));
    return k.finish(task, SortTask.THREADS, SortTask.THREADS, 0);
  }

  /** Returns the digit of a sort word. */
  static Register digit(KernelWriter k, Register word) {
    Register moved = k.b64("shr.u64", word, k.argument(KernelParameter.DIGIT_SHIFT));
    return k.b32("and.b32", k.b32("cvt.u32.u64", moved), SortTask.DIGITS - 1);
  }
}
