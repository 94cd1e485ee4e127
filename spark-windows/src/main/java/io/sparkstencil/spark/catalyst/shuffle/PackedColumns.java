/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.engine.RowSort;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * Columns of words in a batch: each as the differences from its least word, in as few bits as they
 * need, or in 1, 2, 4, 8, 16, 32 or 64 where that is little more. The bits of a row begin where
 * those of the row before end. Doubles that are decimal fractions are integers before, where these
 * are shorter; of few different words there are numbers. A batch begins with the number of its
 * rows; a column begins with a header of three words, then numbered words, if any:
 *
 * <pre>
 *   byte bits of a difference or number, byte 0 or 1 + digits behind the point, short 0, int words
 *   that are numbered | least | greatest
 * </pre>
 */
public final class PackedColumns {
  /** Bytes before the first column. */
  public static final int HEADER_BYTES = 8;

  private static final int COLUMN_HEADER_BYTES = 3 * Long.BYTES;

  /** Bits more for which parts of words are taken, as they are quicker. */
  private static final int FEW_BITS = 7;

  /** And of how many bits one more: codecs are slow where the high bits of numbers are zeros. */
  private static final int FEW_BITS_SHARE = 4;

  /** Numbers are written, with their words, if they are at most this share of differences. */
  private static final double FEW_SHARE = 0.75;

  /** Words that are looked at before it is asked whether they need all bits anyway. */
  private static final int LOOK_WORDS = 64;

  /**
   * Bits of a difference from which on it is not asked which words are the least and the greatest:
   * those of times need fewer, those of most floating-point numbers and hashes more.
   */
  private static final int WIDE_BITS = 57;

  private PackedColumns() {}

  /** Returns the most bytes that a batch may need. */
  public static int mostBytes(int columns, int words) {
    return HEADER_BYTES + columns * COLUMN_HEADER_BYTES + words * Long.BYTES;
  }

  /** Writes the number of rows, and returns where the first column goes. */
  public static long writeRows(byte[] target, int rows) {
    Platform.putInt(target, Platform.BYTE_ARRAY_OFFSET, rows);
    Platform.putInt(target, Platform.BYTE_ARRAY_OFFSET + Integer.BYTES, 0);
    return (long) Platform.BYTE_ARRAY_OFFSET + HEADER_BYTES;
  }

  /**
   * Writes a column of the words {@code first} to before {@code until}, and returns where the next
   * goes.
   */
  static long write(long[] words, int first, int until, byte[] target, long at) {
    long least = Long.MAX_VALUE;
    long most = Long.MIN_VALUE;
    int needed = 0;
    int looked = first;
    while (looked < until && needed < WIDE_BITS) {
      int end = looked + Math.min(until - looked, LOOK_WORDS);
      for (; looked < end; looked++) {
        least = Math.min(least, words[looked]);
        most = Math.max(most, words[looked]);
      }
      needed = needed(most - least);
    }
    boolean known = looked >= until;
    int bits = known ? width(needed) : Long.SIZE;
    putHeader(target, at, bits, known ? least : 0, known ? most : -1);
    long to = at + COLUMN_HEADER_BYTES;
    if (bits == Long.SIZE) {
      long bytes = (long) (until - first) * Long.BYTES;
      Platform.copyMemory(words, offset(first), target, to, bytes);
      return to + bytes;
    }
    return bits == 0 ? to : pack(words, first, until, least, bits, target, to);
  }

  /** Writes differences from {@code base}, and returns where they end. */
  private static long pack(
      long[] words, int first, int until, long base, int bits, Object target, long at) {
    if (Long.SIZE % bits != 0) {
      return packAcross(words, first, until, base, bits, target, at);
    }
    long to = at;
    int i = first;
    if (bits == Integer.SIZE) { // which most columns are
      for (; i + 1 < until; i += 2, to += Long.BYTES) {
        long second = words[i + 1] - base;
        Platform.putLong(target, to, (words[i] - base) | (second << Integer.SIZE));
      }
    }
    for (; i < until; to += Long.BYTES) {
      long packed = 0;
      for (int shift = 0; shift < Long.SIZE && i < until; shift += bits, i++) {
        packed |= (words[i] - base) << shift;
      }
      Platform.putLong(target, to, packed);
    }
    return to;
  }

  /** The same where differences begin in one word and end in the next. */
  private static long packAcross(
      long[] words, int first, int until, long base, int bits, Object target, long at) {
    long to = at;
    long packed = 0;
    int used = 0; // bits of it
    for (int i = first; i < until; i++) {
      long difference = words[i] - base;
      packed |= difference << used;
      used += bits;
      if (used >= Long.SIZE) {
        Platform.putLong(target, to, packed);
        to += Long.BYTES;
        used -= Long.SIZE;
        packed = used == 0 ? 0 : difference >>> (bits - used);
      }
    }
    if (used > 0) {
      Platform.putLong(target, to, packed);
      to += Long.BYTES;
    }
    return to;
  }

  /**
   * Writes a column of doubles, whose words are {@code first} to before {@code until}, and returns
   * where the next goes.
   */
  static long writeDoubles(
      long[] words, int first, int until, byte[] target, long at, DecimalFractions fractions) {
    int digits = fractions.find(words, first, until);
    if (digits >= 0) {
      long end = write(fractions.integers(), 0, until - first, target, at);
      long bits = Platform.getLong(target, at);
      if (bits < Long.SIZE) {
        Platform.putLong(target, at, ((1L + digits) << Byte.SIZE) | bits);
        fractions.keep();
        return end;
      }
      fractions.giveUp();
    }
    return write(words, first, until, target, at);
  }

  /**
   * Writes a column whose words are {@code first} to before {@code until}, and returns where the
   * next goes.
   */
  static long writeFew(long[] words, int first, int until, byte[] target, long at, FewValues few) {
    if (!few.find(words, first, until)) {
      return write(words, first, until, target, at);
    }
    int count = few.count();
    long[] values = few.values();
    long least = Arrays.stream(values, 0, count).min().orElse(0);
    long most = Arrays.stream(values, 0, count).max().orElse(0);
    int bits = width(needed(count - 1L));
    int rows = until - first;
    long bytes = (long) count * Long.BYTES + bytes(rows, bits);
    long plain = bytes(rows, width(needed(most - least)));
    if (bytes > FEW_SHARE * plain) {
      few.giveUp();
      return write(words, first, until, target, at);
    }
    few.keep();
    putHeader(target, at, bits | ((long) count << Integer.SIZE), least, most);
    long to = at + COLUMN_HEADER_BYTES;
    Platform.copyMemory(values, offset(0), target, to, (long) count * Long.BYTES);
    to += (long) count * Long.BYTES;
    return pack(few.numbers(), 0, rows, 0, bits, target, to);
  }

  /** Writes a column of zeros, and returns where the next goes. */
  static long writeZeros(byte[] target, long at) {
    putHeader(target, at, 0, 0, 0);
    return at + COLUMN_HEADER_BYTES;
  }

  private static int needed(long largest) {
    return Long.SIZE - Long.numberOfLeadingZeros(largest);
  }

  /** Returns the bytes, in whole words, of so many differences. */
  private static long bytes(long rows, int bits) {
    return (rows * bits + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
  }

  /** Writes the header of a column, whose least word is above the greatest if neither is known. */
  private static void putHeader(Object target, long at, long first, long least, long most) {
    Platform.putLong(target, at, first);
    Platform.putLong(target, at + Long.BYTES, least);
    Platform.putLong(target, at + 2 * Long.BYTES, most);
  }

  /** Returns the bits that a difference takes which needs so many. */
  private static int width(int needed) {
    int parts = needed <= 1 ? needed : 2 * Integer.highestOneBit(needed - 1);
    return parts - needed <= Math.min(FEW_BITS, needed / FEW_BITS_SHARE) ? parts : needed;
  }

  /** Returns the number of rows in a written batch. */
  public static int rows(UnsafeRow batch) {
    return Platform.getInt(batch.getBaseObject(), batch.getBaseOffset());
  }

  private static int bits(UnsafeRow batch, long at) {
    return (int) Platform.getLong(batch.getBaseObject(), at) & 0xFF;
  }

  /** Returns how many different words of a column are numbered, or 0 if none are. */
  private static int numbered(UnsafeRow batch, long at) {
    return (int) (Platform.getLong(batch.getBaseObject(), at) >>> Integer.SIZE);
  }

  /** Returns what integers of a column are divided by, or 0 if they are words themselves. */
  private static double divisor(UnsafeRow batch, long at) {
    int digits = ((int) Platform.getLong(batch.getBaseObject(), at) >>> Byte.SIZE) - 1;
    return digits < 0 ? 0 : DecimalFractions.divisor(digits);
  }

  /** Tells whether it is known which words of the column at {@code at} are least and greatest. */
  public static boolean hasRange(UnsafeRow batch, long at) {
    return divisor(batch, at) == 0 && least(batch, at) <= most(batch, at);
  }

  /** Returns the least word of the column at {@code at}, if that is known. */
  public static long least(UnsafeRow batch, long at) {
    return Platform.getLong(batch.getBaseObject(), at + Long.BYTES);
  }

  /** Returns the greatest word of the column at {@code at}, if that is known. */
  public static long most(UnsafeRow batch, long at) {
    return Platform.getLong(batch.getBaseObject(), at + 2 * Long.BYTES);
  }

  /**
   * Returns the column at {@code at} as sorts take it, which has no numbers.
   *
   * @param before words of memory before the batch
   */
  public static RowSort.Packed packed(UnsafeRow batch, long at, int before) {
    int bits = bits(batch, at);
    long base = bits == Long.SIZE ? 0 : least(batch, at);
    long place = before + (at + COLUMN_HEADER_BYTES - batch.getBaseOffset()) / Long.BYTES;
    return new RowSort.Packed(bits, base, (int) place, divisor(batch, at));
  }

  /** Tells whether the column at {@code at} is all zeros. */
  public static boolean isZeros(UnsafeRow batch, long at) {
    return bits(batch, at) == 0 && least(batch, at) == 0;
  }

  /** Returns where the column after the one at {@code at} begins. */
  public static long next(UnsafeRow batch, long at) {
    return begin(batch, at) + bytes(rows(batch), bits(batch, at));
  }

  /** Returns where the differences or numbers of a column begin. */
  private static long begin(UnsafeRow batch, long at) {
    return at + COLUMN_HEADER_BYTES + (long) numbered(batch, at) * Long.BYTES;
  }

  /** Returns the bytes of the column at {@code at} if it has differences and no numbers. */
  public static long plainBytes(UnsafeRow batch, long at) {
    return numbered(batch, at) == 0
        ? next(batch, at) - at
        : COLUMN_HEADER_BYTES + bytes(rows(batch), plainBits(batch, at));
  }

  private static int plainBits(UnsafeRow batch, long at) {
    return width(needed(most(batch, at) - least(batch, at)));
  }

  /** Copies a column with differences in place of numbers, and returns where the next goes. */
  public static long copyPlain(UnsafeRow batch, long from, Object target, long at) {
    if (numbered(batch, from) == 0) {
      long bytes = next(batch, from) - from;
      Platform.copyMemory(batch.getBaseObject(), from, target, at, bytes);
      return at + bytes;
    }
    int bits = plainBits(batch, from);
    putHeader(target, at, bits, least(batch, from), most(batch, from));
    long[] words = new long[rows(batch)];
    read(batch, from, words, 0, 1, words.length);
    long base = bits == Long.SIZE ? 0 : least(batch, from);
    return pack(words, 0, words.length, base, bits, target, at + COLUMN_HEADER_BYTES);
  }

  /**
   * Reads the column at {@code at} into words {@code first}, {@code first + stride} and so on up to
   * {@code until}.
   */
  public static void read(
      UnsafeRow batch, long at, long[] words, int first, int stride, int until) {
    if (numbered(batch, at) > 0) {
      readNumbered(batch, at, words, first, stride, until);
      return;
    }
    long base = bits(batch, at) == Long.SIZE ? 0 : least(batch, at);
    readIntegers(batch, at, base, words, first, stride, until);
    double divisor = divisor(batch, at);
    if (divisor > 0) {
      for (int i = first; i < until; i += stride) {
        words[i] = Double.doubleToRawLongBits(words[i] / divisor);
      }
    }
  }

  private static void readNumbered(
      UnsafeRow batch, long at, long[] words, int first, int stride, int until) {
    long[] values = new long[numbered(batch, at)];
    long ofValues = (long) values.length * Long.BYTES;
    Object source = batch.getBaseObject();
    Platform.copyMemory(source, at + COLUMN_HEADER_BYTES, values, offset(0), ofValues);
    readIntegers(batch, at, 0, words, first, stride, until);
    for (int i = first; i < until; i += stride) {
      words[i] = values[(int) words[i]];
    }
  }

  /** Reads differences from {@code base}. */
  private static void readIntegers(
      UnsafeRow batch, long at, long base, long[] words, int first, int stride, int until) {
    Object source = batch.getBaseObject();
    int bits = bits(batch, at);
    long from = begin(batch, at);
    if (bits == Long.SIZE && stride == 1) {
      Platform.copyMemory(source, from, words, offset(first), (long) (until - first) * Long.BYTES);
      return;
    }
    if (bits == 0) {
      for (int row = first; row < until; row += stride) {
        words[row] = base;
      }
      return;
    }
    if (Long.SIZE % bits != 0) {
      readAcross(source, from, base, bits, words, first, stride, until);
      return;
    }
    int i = first;
    if (bits == Integer.SIZE && stride == 1) {
      for (; i + 1 < until; i += 2, from += Long.BYTES) {
        long packed = Platform.getLong(source, from);
        words[i] = base + (packed & 0xFFFFFFFFL);
        words[i + 1] = base + (packed >>> Integer.SIZE);
      }
    }
    long mask = -1L >>> (Long.SIZE - bits);
    int inWord = stride * (Long.SIZE / bits);
    for (; i < until; from += Long.BYTES) {
      long packed = Platform.getLong(source, from);
      for (int last = Math.min(until, i + inWord); i < last; packed >>>= bits, i += stride) {
        words[i] = base + (packed & mask);
      }
    }
  }

  /** Reads differences that may begin in one word and end in the next. */
  private static void readAcross(
      Object source, long at, long base, int bits, long[] words, int first, int stride, int until) {
    long mask = -1L >>> (Long.SIZE - bits);
    long from = at;
    long packed = 0;
    int left = 0; // bits of it
    for (int i = first; i < until; i += stride) {
      long difference = packed;
      if (left < bits) {
        long next = Platform.getLong(source, from);
        from += Long.BYTES;
        difference |= next << left;
        packed = next >>> (bits - left);
        left += Long.SIZE - bits;
      } else {
        packed >>>= bits;
        left -= bits;
      }
      words[i] = base + (difference & mask);
    }
  }

  private static long offset(int word) {
    return Platform.LONG_ARRAY_OFFSET + (long) word * Long.BYTES;
  }
}
