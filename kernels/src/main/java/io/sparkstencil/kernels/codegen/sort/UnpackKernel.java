/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.sort;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.List;

/**
 * Unpacks rows as they were added. A block takes one column of the rows that were added together,
 * which a line of {@link KernelParameter#ADDED} describes, and each thread every 256th of these
 * rows. A line has 1 + 3 columns words:
 *
 * <pre>
 *   first row (low half), rows (high half) | for each column: place &lt;&lt; 8 + bits, base, divisor
 * </pre>
 */
public final class UnpackKernel {
  /** Words of a line that describe a column. */
  public static final int COLUMN_WORDS = 3;

  private static final int WORD_SHIFT = 3; // bytes of a word
  private static final int IN_WORD_SHIFT = 6; // bits of a word

  private UnpackKernel() {}

  static GeneratedKernel generate() {
    KernelWriter k =
        new KernelWriter(
            List.of(
                KernelParameter.INPUT,
                KernelParameter.ADDED,
                KernelParameter.OUTPUT,
                KernelParameter.ROWS));
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    Register column = k.b32("mov.u32", Symbol.CTAID_Y);
    Register columns = k.b32("mov.u32", Symbol.NCTAID_Y);
    Register lineWords = k.b32("mad.lo.u32", columns, COLUMN_WORDS, 1);
    Register lineWord = k.b32("mul.lo.u32", k.b32("mov.u32", Symbol.CTAID_X), lineWords);
    Register line = k.global(KernelParameter.ADDED, lineWord, Long.BYTES);
    Register span = k.make(PtxType.B64, "ld.global.nc.b64", at(line, 0));
    Register first = k.b32("cvt.u32.u64", span);
    Register count = k.b32("cvt.u32.u64", k.b64("shr.u64", span, Integer.SIZE));

    Register ofColumn = k.b64("mad.wide.u32", column, COLUMN_WORDS * Long.BYTES, line);
    Register placed = k.make(PtxType.B64, "ld.global.nc.b64", at(ofColumn, Long.BYTES));
    Register base = k.make(PtxType.B64, "ld.global.nc.b64", at(ofColumn, 2 * Long.BYTES));
    Register divisor = k.make(PtxType.B64, "ld.global.nc.b64", at(ofColumn, 3 * Long.BYTES));
    Register bits = k.b32("and.b32", k.b32("cvt.u32.u64", placed), 0xFF);
    Register place = k.b32("cvt.u32.u64", k.b64("shr.u64", placed, Byte.SIZE));
    Register from = k.global(KernelParameter.INPUT, place, Long.BYTES);
    Register one = k.b64("mov.u64", 1);
    Register mask = k.b64("sub.u64", k.b64("shl.b64", one, bits), one); // shifts by 64 give 0

    Register rows = k.argument(KernelParameter.ROWS);
    Register firstWord = k.b64("mad.wide.u32", column, rows, k.b64("cvt.u64.u32", first));
    Register moved = k.b64("shl.b64", firstWord, WORD_SHIFT);
    Register to = k.b64("add.u64", k.argument(KernelParameter.OUTPUT), moved);

    Column packed = new Column(k, from, bits, mask, base, divisor, to);
    Register row = k.b32("mov.u32", thread);
    k.loop(
        "rows",
        "rowsdone",
        () -> k.test("setp.ge.u32", row, count),
        () -> {
          packed.unpack(row);
          k.put("add.u32", row, row, SortTask.THREADS);
        });
    return k.finish(SortTask.UNPACK, SortTask.THREADS, 1, 0);
  }

  /**
   * What is known of a column.
   *
   * @param from where its first word is
   * @param bits those of a difference
   * @param mask the same, set
   * @param to where the word of the first row goes
   */
  private record Column(
      KernelWriter k,
      Register from,
      Register bits,
      Register mask,
      Register base,
      Register divisor,
      Register to) {
    void unpack(Register row) {
      Register bit = k.b32("mul.lo.u32", row, bits);
      Register word = k.b32("shr.u32", bit, IN_WORD_SHIFT);
      Register wordAt = k.b64("mad.wide.u32", word, Long.BYTES, from);
      Register all = k.make(PtxType.B64, "ld.global.nc.b64", at(wordAt, 0));
      Register inWord = k.b32("and.b32", bit, Long.SIZE - 1);
      Register own = k.b64("shr.u64", all, inWord);
      Register end = k.b32("add.u32", inWord, bits);
      k.where(
          k.test("setp.gt.u32", end, Long.SIZE), "inoneword", () -> addNext(own, wordAt, inWord));
      Register unpacked = k.b64("add.u64", k.b64("and.b64", own, mask), base);
      Register isDivided = k.test("setp.ne.u64", divisor, 0);
      k.where(isDivided, "undivided", () -> divide(unpacked));
      Register target = k.b64("mad.wide.u32", row, Long.BYTES, to);
      k.put("st.global.b64", at(target, 0), unpacked);
    }

    /** Adds the bits of a difference that lie in the next word. */
    private void addNext(Register own, Register wordAt, Register inWord) {
      Register next = k.make(PtxType.B64, "ld.global.nc.b64", at(wordAt, Long.BYTES));
      Register above = k.b64("shl.b64", next, k.b32("sub.u32", Long.SIZE, inWord));
      k.put("or.b64", own, own, above);
    }

    private void divide(Register unpacked) {
      Register dividend = k.make(PtxType.F64, "cvt.rn.f64.s64", unpacked);
      Register by = k.make(PtxType.F64, "mov.b64", divisor);
      k.put("mov.b64", unpacked, k.make(PtxType.F64, "div.rn.f64", dividend, by));
    }
  }
}
