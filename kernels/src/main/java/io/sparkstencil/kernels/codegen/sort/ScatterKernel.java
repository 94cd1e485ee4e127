/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.sort;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.ArrayList;
import java.util.List;

/**
 * Scatters sort words and the numbers of their rows to where the digit puts them; rows of one digit
 * keep their order. A block takes a tile, and each of its warps the next part of that. The rank of
 * a row is the number of rows of its digit before it in the part of its warp. It goes behind the
 * rows of lower digits, those of its digit in earlier tiles, and those of its digit in earlier
 * parts.
 */
final class ScatterKernel {
  private static final String COUNTERS = "counters";
  private static final long ALL_LANES = 0xFFFFFFFFL;
  private static final int LANES = 32;
  private static final int WARPS = SortTask.THREADS / LANES;
  private static final int PART_ROWS = LANES * SortTask.ITEMS;

  /** Rows beyond the end have a digit of their own, and so never lie before others. */
  private static final int NO_DIGIT = SortTask.DIGITS;

  /** Counters of a warp: one for each digit, and enough more that its lanes clear as many each. */
  private static final int COUNTERS_OF_WARP = SortTask.DIGITS + LANES;

  private static final int BYTES_OF_WARP = COUNTERS_OF_WARP * Integer.BYTES;
  private static final int SHARED_BYTES = WARPS * BYTES_OF_WARP;

  private final SortTask task;
  private final KernelWriter k;
  private final Register thread;
  private final Register lane;
  private final Register tile;
  private final Register countersOfWarp;

  /** The lane's first row; the others follow, 32 rows apart. */
  private final Register first;

  ScatterKernel(SortTask task) {
    this.task = task;
    List<KernelParameter> parameters = new ArrayList<>();
    parameters.add(KernelParameter.INPUT);
    parameters.add(KernelParameter.OUTPUT);
    if (task == SortTask.SCATTER_NEXT) {
      parameters.add(KernelParameter.INPUT_INDEXES);
    }
    parameters.add(KernelParameter.OUTPUT_INDEXES);
    parameters.add(KernelParameter.COUNTS);
    parameters.add(KernelParameter.TOTALS);
    parameters.add(KernelParameter.DIGIT_SHIFT);
    parameters.add(KernelParameter.ROWS);
    k = new KernelWriter(parameters);
    k.declare(".shared .align 16 .b8 %s[%d]".formatted(COUNTERS, SHARED_BYTES));
    thread = k.b32("mov.u32", Symbol.TID_X);
    lane = k.b32("and.b32", thread, LANES - 1);
    tile = k.b32("mov.u32", Symbol.CTAID_X);
    Register warp = k.b32("shr.u32", thread, 5);
    Register counters = k.b32("mov.u32", new Symbol(COUNTERS));
    countersOfWarp = k.b32("mad.lo.u32", warp, BYTES_OF_WARP, counters);
    Register inTile = k.b32("mad.lo.u32", warp, PART_ROWS, lane);
    first = k.b32("mad.lo.u32", tile, SortTask.TILE_ROWS, inTile);
  }

  GeneratedKernel generate() {
    List<Register> words = load(KernelParameter.INPUT, PtxType.B64);
    clearCounters();
    List<Register> ranks = new ArrayList<>();
    words.forEach(word -> ranks.add(rank(word, isInside(ranks.size()))));
    placeDigits();
    k.put("bar.sync", 0);
    List<Register> rows =
        task == SortTask.SCATTER_NEXT ? load(KernelParameter.INPUT_INDEXES, PtxType.B32) : null;
    for (int item = 0; item < SortTask.ITEMS; item++) {
      Register counter = counterOf(RowCode.digit(k, words.get(item)));
      Register place = k.add(k.b32("ld.shared.b32", at(counter, 0)), ranks.get(item));
      Register row = rows == null ? row(item) : rows.get(item);
      Register inside = isInside(item);
      Register wordTo = k.global(KernelParameter.OUTPUT, place, Long.BYTES);
      k.putIf(inside, "st.global.b64", at(wordTo, 0), words.get(item));
      Register rowTo = k.global(KernelParameter.OUTPUT_INDEXES, place, Integer.BYTES);
      k.putIf(inside, "st.global.b32", at(rowTo, 0), row);
    }
    int sharedBytes = SHARED_BYTES + PrefixSum.SHARED_BYTES;
    return k.finish(task, SortTask.THREADS, SortTask.TILE_ROWS, sharedBytes);
  }

  private Register row(int item) {
    return k.add(first, item * LANES);
  }

  private Register isInside(int item) {
    return RowCode.isInside(k, row(item));
  }

  /** Returns what an array has for the rows of a lane; 0 beyond the end. */
  private List<Register> load(KernelParameter array, PtxType type) {
    Register from = k.global(array, first, type.bytes());
    List<Register> loaded = new ArrayList<>();
    for (int item = 0; item < SortTask.ITEMS; item++) {
      Register inside = isInside(item);
      Register value = k.make(type, "mov." + type.declaration(), 0);
      String opcode = "ld.global.nc." + type.declaration();
      k.putIf(inside, opcode, value, at(from, item * LANES * type.bytes()));
      loaded.add(value);
    }
    return loaded;
  }

  private void clearCounters() {
    Register own = k.b32("mad.lo.u32", lane, Integer.BYTES, countersOfWarp);
    for (int i = 0; i < COUNTERS_OF_WARP; i += LANES) {
      k.put("st.shared.b32", at(own, i * Integer.BYTES), 0);
    }
    meetLanes();
  }

  private void meetLanes() {
    k.put("bar.warp.sync", ALL_LANES);
  }

  private Register counterOf(Register digit) {
    return k.b32("mad.lo.u32", digit, Integer.BYTES, countersOfWarp);
  }

  /** Returns the rank of a row of each lane, and counts those rows. */
  private Register rank(Register word, Register inside) {
    Register digit = k.b32("selp.b32", RowCode.digit(k, word), NO_DIGIT, inside);
    Register counter = counterOf(digit);
    Register alike = k.b32("match.any.sync.b32", digit, new Symbol("0xffffffff"));
    Register lower = k.subtract(k.b32("shl.b32", k.b32("mov.u32", 1), lane), 1);
    Register alikeBefore = k.b32("and.b32", alike, lower);
    Register counted = k.b32("ld.shared.b32", at(counter, 0));
    Register rank = k.add(counted, k.b32("popc.b32", alikeBefore));
    Register sum = k.add(counted, k.b32("popc.b32", alike));
    meetLanes(); // before one of them counts for all that are alike
    k.putIf(k.test("setp.eq.u32", alikeBefore, 0), "st.shared.b32", at(counter, 0), sum);
    meetLanes();
    return rank;
  }

  /** Replaces the count of each warp and digit by the place of the first such row. */
  private void placeDigits() {
    Register totalFrom = k.global(KernelParameter.TOTALS, thread, Integer.BYTES);
    Register total = k.b32("ld.global.nc.b32", at(totalFrom, 0));
    Register tiles = k.b32("mov.u32", Symbol.NCTAID_X);
    Register count = k.b32("mad.lo.u32", thread, tiles, tile);
    Register countFrom = k.global(KernelParameter.COUNTS, count, Integer.BYTES);
    Register inTiles = k.b32("ld.global.nc.b32", at(countFrom, 0));
    // The sum has a barrier, behind which all warps have counted.
    Register lowerDigits = new PrefixSum(k, thread).of(total).before();
    Register place = k.add(lowerDigits, inTiles);
    Register counters = k.b32("mov.u32", new Symbol(COUNTERS));
    Register counter = k.b32("mad.lo.u32", thread, Integer.BYTES, counters);
    for (int w = 0; w < WARPS; w++) {
      Register ofWarp = k.b32("ld.shared.b32", at(counter, w * BYTES_OF_WARP));
      k.put("st.shared.b32", at(counter, w * BYTES_OF_WARP), place);
      place = k.add(place, ofWarp);
    }
  }
}
