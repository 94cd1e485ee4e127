/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.engine.RowSort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Words of rows, packed as rows are added to sorts: columns in as few bits as they need, or in a
 * power of two, and doubles that are thousandths as integers.
 */
public final class PackedWords {
  private static final double DIVISOR = 1e3;

  private final List<RowSort.Packed> columns = new ArrayList<>();
  private final int rows;
  private long[] memory = new long[1]; // rows take one word at least
  private int used = 1;

  /**
   * Packs columns.
   *
   * @param words those of each column, all of one length
   */
  public PackedWords(long[]... words) {
    this.rows = words[0].length;
    for (long[] column : words) {
      long[] integers = Arrays.stream(column).map(PackedWords::thousandths).toArray();
      boolean same = IntStream.range(0, rows).allMatch(i -> word(integers[i]) == column[i]);
      pack(same ? integers : column, same ? DIVISOR : 0);
    }
  }

  private static long thousandths(long word) {
    return Math.round(Double.longBitsToDouble(word) * DIVISOR);
  }

  private static long word(long thousandths) {
    return Double.doubleToRawLongBits(thousandths / DIVISOR);
  }

  private void pack(long[] words, double divisor) {
    long least = Arrays.stream(words).min().orElse(0);
    long range = Arrays.stream(words).max().orElse(0) - least;
    int needed = Long.SIZE - Long.numberOfLeadingZeros(range);
    // Every other column has a power of two, so that no word ends in the middle of a difference.
    boolean whole = needed < 2 || columns.size() % 2 == 0;
    int bits = whole && needed > 1 ? 2 * Integer.highestOneBit(needed - 1) : needed;
    long base = bits == Long.SIZE ? 0 : least;
    columns.add(new RowSort.Packed(bits, base, used, divisor));
    if (bits == 0) {
      return;
    }
    int end = used + (int) (((long) rows * bits + Long.SIZE - 1) / Long.SIZE);
    memory = Arrays.copyOf(memory, end);
    for (int row = 0; row < rows; row++) {
      long at = (long) row * bits;
      int word = used + (int) (at / Long.SIZE);
      int shift = (int) (at % Long.SIZE);
      memory[word] |= (words[row] - base) << shift;
      if (shift + bits > Long.SIZE) {
        memory[word + 1] |= (words[row] - base) >>> (Long.SIZE - shift);
      }
    }
    used = end;
  }

  /** Adds the rows to a sort, from somewhere in an array. */
  public void addTo(RowSort sort) {
    long[] shifted = new long[used + 3];
    System.arraycopy(memory, 0, shifted, 3, used);
    sort.add(shifted, 3, used, columns, rows);
  }
}
