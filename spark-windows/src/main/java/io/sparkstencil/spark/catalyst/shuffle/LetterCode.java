/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.columns.Texts;
import java.util.Arrays;
import org.apache.spark.unsafe.Platform;

/**
 * A code of few bits for bytes of few letters: the difference of a byte from the least one, from
 * which the widest gap between bytes that occur is taken. So the digits and letters of hexadecimal
 * numbers have four bits. Eight bytes are coded at a time.
 *
 * @param bits of a code
 * @param least the least byte
 * @param upper the difference of the first byte above the gap
 * @param gap the bytes of the gap
 */
record LetterCode(int bits, int least, int upper, int gap) {
  private static final int LEAST_BITS = 4;
  private static final int MOST_BITS = 6;
  private static final int BYTES = 1 << (Byte.SIZE - 1); // that are not negative
  private static final long LOWEST = 0x0101_0101_0101_0101L; // bit of each byte
  private static final long HIGHEST = LOWEST << (Byte.SIZE - 1);

  private static final LetterCode ANY = new LetterCode(LEAST_BITS, 0, BYTES, 0);

  /** Returns the code of some bytes, or null if they need more bits. */
  static LetterCode of(byte[] bytes, int count) {
    if (count == 0) {
      return ANY;
    }
    long[] used = new long[2]; // a bit for each byte that occurs
    int all = 0;
    for (int i = 0; i < count; i++) {
      all |= bytes[i];
      used[(bytes[i] >> 6) & 1] |= 1L << bytes[i];
    }
    if (all < 0) {
      return null;
    }
    int first = -1;
    int last = -1;
    int upper = BYTES; // a byte, and so for all that follow
    int gap = 0;
    for (int each = 0; each < BYTES; each++) {
      if (((used[each >> 6] >>> each) & 1) != 0) {
        if (last >= 0 && each - last - 1 > gap) {
          gap = each - last - 1;
          upper = each;
        }
        first = first < 0 ? each : first;
        last = each;
      }
    }
    int whole = bits(last - first);
    int closed = bits(last - first - gap);
    if (closed > MOST_BITS) {
      return null;
    }
    return closed == whole
        ? new LetterCode(whole, first, BYTES, 0)
        : new LetterCode(closed, first, upper - first, gap);
  }

  private static int bits(int largest) {
    return Math.max(LEAST_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(largest));
  }

  /** Returns the code that {@link #word} describes. */
  static LetterCode of(int word) {
    return new LetterCode(word & 0xFF, (word >>> 8) & 0xFF, (word >>> 16) & 0xFF, word >>> 24);
  }

  int word() {
    return bits | (least << 8) | (upper << 16) | (gap << 24);
  }

  /** Returns the bytes, in whole words, that the codes of so many bytes take. */
  long size(long count) {
    long groups = (count + Long.BYTES - 1) / Long.BYTES;
    return count == 0 ? 0 : Texts.padded((groups - 1) * bits + Long.BYTES);
  }

  /** Writes codes; false if a byte has none. */
  boolean write(byte[] bytes, int count, byte[] target, long at) {
    long wrong = 0;
    long to = at;
    int i = 0;
    for (; i + Long.BYTES <= count; i += Long.BYTES, to += bits) {
      long word = Platform.getLong(bytes, Platform.BYTE_ARRAY_OFFSET + (long) i);
      wrong |= wrong(word);
      Platform.putLong(target, to, narrow(codes(word)));
    }
    if (i < count) {
      byte[] last = new byte[Long.BYTES];
      Arrays.fill(last, (byte) least); // in place of bytes behind the last
      System.arraycopy(bytes, i, last, 0, count - i);
      long word = Platform.getLong(last, Platform.BYTE_ARRAY_OFFSET);
      wrong |= wrong(word);
      Platform.putLong(target, to, narrow(codes(word)));
    }
    return wrong == 0;
  }

  /** Returns the differences from the least byte, of which none borrows from the next. */
  private long differences(long word) {
    return ((word | HIGHEST) - least * LOWEST) ^ HIGHEST;
  }

  /** Returns a bit for each byte that is not less than a limit, of bytes that are not negative. */
  private static long reached(long bytes, int limit) {
    return ((bytes + (BYTES - limit) * LOWEST) & HIGHEST) >>> (Byte.SIZE - 1);
  }

  private long codes(long word) {
    long differences = differences(word) & ~HIGHEST;
    return differences - reached(differences, upper) * gap;
  }

  /** Returns 0 if all bytes have codes: none is negative, too small or large, or in the gap. */
  private long wrong(long word) {
    long differences = differences(word);
    long positive = differences & ~HIGHEST;
    long inGap = reached(positive, upper - gap) ^ reached(positive, upper);
    long tooLarge = codes(word) & ~(((1L << bits) - 1) * LOWEST);
    return (word & HIGHEST) | (differences & HIGHEST) | inGap | tooLarge;
  }

  /** Reads the bytes of codes into whole words. */
  void read(Object base, long at, long count, Object to, long offset) {
    long from = at;
    for (long i = 0; i < count; i += Long.BYTES, from += bits) {
      long codes = widen(Platform.getLong(base, from));
      long differences = codes + reached(codes, upper - gap) * gap;
      Platform.putLong(to, offset + i, differences + least * LOWEST);
    }
  }

  /** Moves the lowest bits of all bytes together: those of two bytes, of four, of all. */
  private long narrow(long bytes) {
    long twos = joined(bytes, bits, Byte.SIZE, 0x0001_0001_0001_0001L);
    long fours = joined(twos, 2 * bits, Short.SIZE, 0x0000_0001_0000_0001L);
    return joined(fours, 4 * bits, Integer.SIZE, 1);
  }

  /** Undoes {@link #narrow}. */
  private long widen(long packed) {
    long fours = parted(packed, 4 * bits, Integer.SIZE, 1);
    long twos = parted(fours, 2 * bits, Short.SIZE, 0x0000_0001_0000_0001L);
    return parted(twos, bits, Byte.SIZE, 0x0001_0001_0001_0001L);
  }

  /**
   * Joins the lowest bits of neighbouring parts of a word.
   *
   * @param bits of each part, above which there are none
   * @param width bits from one part to the next
   * @param pairs the lowest bit of each pair
   */
  private static long joined(long word, int bits, int width, long pairs) {
    long lower = ((1L << bits) - 1) * pairs;
    return (word & lower) | ((word >>> (width - bits)) & (lower << bits));
  }

  /** Undoes {@link #joined}. */
  private static long parted(long word, int bits, int width, long pairs) {
    long lower = ((1L << bits) - 1) * pairs;
    return (word & lower) | ((word & (lower << bits)) << (width - bits));
  }
}
