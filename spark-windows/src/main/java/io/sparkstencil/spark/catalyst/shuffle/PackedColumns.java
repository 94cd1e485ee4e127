/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.engine.RowSort;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * Columns of words in a batch: each as the differences from its least word, in as few bits as they
 * need, or in 1, 2, 4, 8, 16, 32 or 64 where that is little more. The bits of a row begin where
 * those of the row before end. Doubles that are decimal fractions are integers before, where these
 * are shorter; of few different words there are numbers; differences that have a divisor in common
 * are divided by it. A batch begins with the number of its rows; a column begins with a header of
 * three words, then numbered words or the divisor, if any:
 *
 * <pre>
 *   byte bits of a difference, quotient or number, byte 0 or 1 + digits behind the point, short 1
 *   for quotients, int words that are numbered | least | greatest
 * </pre>
 */
public final class PackedColumns {
  /** Bytes before the first column. */
  public static final int HEADER_BYTES = 8;

  private static final int COLUMN_HEADER_BYTES = 3 * Long.BYTES;

  /** In the first word of a header. */
  private static final long DIVIDED = 1L << Short.SIZE;

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
    return bits == 0 ? to : DifferenceBits.write(words, first, until, least, bits, target, to);
  }

  /**
   * Writes a column whose words are {@code first} to before {@code until}, as quotients where that
   * is shorter, and returns where the next goes.
   */
  private static long writeDivided(
      long[] words, int first, int until, byte[] target, long at, Quotients quotients) {
    if (!quotients.isTried(words, first, until)) {
      return write(words, first, until, target, at);
    }
    long least = words[first];
    long most = least;
    for (int i = first + 1; i < until; i++) {
      least = Math.min(least, words[i]);
      most = Math.max(most, words[i]);
    }
    if (!quotients.divide(words, first, until, least)) {
      return write(words, first, until, target, at);
    }
    int rows = until - first;
    int bits = width(needed(quotients.divisor().quotient(most - least)));
    if (Long.BYTES + bytes(rows, bits) >= bytes(rows, width(needed(most - least)))) {
      quotients.giveUp();
      return write(words, first, until, target, at);
    }
    quotients.keep();
    putHeader(target, at, bits | DIVIDED, least, most);
    long to = at + COLUMN_HEADER_BYTES;
    Platform.putLong(target, to, quotients.divisor().value());
    return DifferenceBits.write(quotients.quotients(), 0, rows, 0, bits, target, to + Long.BYTES);
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
  static long writeFew(
      long[] words,
      int first,
      int until,
      byte[] target,
      long at,
      FewValues few,
      Quotients quotients) {
    if (!few.find(words, first, until)) {
      return writeDivided(words, first, until, target, at, quotients);
    }
    int count = few.count();
    long[] values = few.values();
    long least = values[0];
    long most = values[0];
    for (int i = 1; i < count; i++) {
      least = Math.min(least, values[i]);
      most = Math.max(most, values[i]);
    }
    int bits = width(needed(count - 1L));
    int rows = until - first;
    long bytes = (long) count * Long.BYTES + bytes(rows, bits);
    long plain = bytes(rows, width(needed(most - least)));
    if (bytes > FEW_SHARE * plain) {
      few.giveUp();
      return writeDivided(words, first, until, target, at, quotients);
    }
    few.keep();
    putHeader(target, at, bits | ((long) count << Integer.SIZE), least, most);
    long to = at + COLUMN_HEADER_BYTES;
    Platform.copyMemory(values, offset(0), target, to, (long) count * Long.BYTES);
    to += (long) count * Long.BYTES;
    return DifferenceBits.write(few.numbers(), 0, rows, 0, bits, target, to);
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
  public static int numbered(UnsafeRow batch, long at) {
    return (int) (Platform.getLong(batch.getBaseObject(), at) >>> Integer.SIZE);
  }

  /** Tells whether the column at {@code at} has quotients. */
  private static boolean isDivided(UnsafeRow batch, long at) {
    return (Platform.getLong(batch.getBaseObject(), at) & DIVIDED) != 0;
  }

  /** Tells whether the column at {@code at} has differences of words, or of integers. */
  private static boolean isPlain(UnsafeRow batch, long at) {
    return numbered(batch, at) == 0 && !isDivided(batch, at);
  }

  /** Returns what integers of a column are divided by, or 0 if they are words themselves. */
  private static double divisor(UnsafeRow batch, long at) {
    int digits = ((int) Platform.getLong(batch.getBaseObject(), at) >>> Byte.SIZE & 0xFF) - 1;
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

  /** Returns where the differences, quotients or numbers of a column begin. */
  private static long begin(UnsafeRow batch, long at) {
    int before = numbered(batch, at) + (isDivided(batch, at) ? 1 : 0);
    return at + COLUMN_HEADER_BYTES + (long) before * Long.BYTES;
  }

  /** Returns the bytes of the column at {@code at} if it has differences of its words. */
  public static long plainBytes(UnsafeRow batch, long at) {
    return isPlain(batch, at)
        ? next(batch, at) - at
        : COLUMN_HEADER_BYTES + bytes(rows(batch), plainBits(batch, at));
  }

  private static int plainBits(UnsafeRow batch, long at) {
    return width(needed(most(batch, at) - least(batch, at)));
  }

  /** Copies a column with differences of its words, and returns where the next goes. */
  public static long copyPlain(UnsafeRow batch, long from, Object target, long at) {
    if (isPlain(batch, from)) {
      long bytes = next(batch, from) - from;
      Platform.copyMemory(batch.getBaseObject(), from, target, at, bytes);
      return at + bytes;
    }
    int bits = plainBits(batch, from);
    putHeader(target, at, bits, least(batch, from), most(batch, from));
    long[] words = new long[rows(batch)];
    read(batch, from, words, 0, 1, words.length);
    long base = bits == Long.SIZE ? 0 : least(batch, from);
    return DifferenceBits.write(
        words, 0, words.length, base, bits, target, at + COLUMN_HEADER_BYTES);
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
    if (isDivided(batch, at)) {
      readDivided(batch, at, words, first, stride, until);
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
    long[] values = numberedWords(batch, at);
    readNumbers(batch, at, words, first, stride, until);
    for (int i = first; i < until; i += stride) {
      words[i] = values[(int) words[i]];
    }
  }

  private static void readDivided(
      UnsafeRow batch, long at, long[] words, int first, int stride, int until) {
    readIntegers(batch, at, 0, words, first, stride, until);
    long divisor = Platform.getLong(batch.getBaseObject(), at + COLUMN_HEADER_BYTES);
    long least = least(batch, at);
    for (int i = first; i < until; i += stride) {
      words[i] = least + words[i] * divisor;
    }
  }

  /** Returns the words of the column at {@code at} that are numbered. */
  public static long[] numberedWords(UnsafeRow batch, long at) {
    long[] values = new long[numbered(batch, at)];
    long bytes = (long) values.length * Long.BYTES;
    Platform.copyMemory(batch.getBaseObject(), at + COLUMN_HEADER_BYTES, values, offset(0), bytes);
    return values;
  }

  /** Reads as {@link #read}, but the numbers of words that are numbered. */
  public static void readNumbers(
      UnsafeRow batch, long at, long[] numbers, int first, int stride, int until) {
    readIntegers(batch, at, 0, numbers, first, stride, until);
  }

  private static void readIntegers(
      UnsafeRow batch, long at, long base, long[] words, int first, int stride, int until) {
    Object source = batch.getBaseObject();
    DifferenceBits.read(
        source, begin(batch, at), bits(batch, at), base, words, first, stride, until);
  }

  private static long offset(int word) {
    return Platform.LONG_ARRAY_OFFSET + (long) word * Long.BYTES;
  }
}
