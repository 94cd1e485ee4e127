/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.packed;

import io.sparkstencil.spark.catalyst.columns.Texts;
import org.apache.spark.unsafe.Platform;

/**
 * The bytes of a column of texts in a batch, those of one row after the other: as they are, or as
 * the differences from the least byte, in 4, 5 or 6 bits. A header of one word comes first:
 *
 * <pre>
 *   bits of a difference, or 8, and above them the least byte
 * </pre>
 */
public final class PackedBytes {
  private static final int HEADER_BYTES = Long.BYTES;
  private static final int LEAST_BITS = 4;
  private static final int MOST_BITS = 6;
  private static final long LOWEST = 0x0101_0101_0101_0101L; // bit of each byte
  private static final long HIGHEST = LOWEST << 7;

  /** Texts of a batch of which none of the first may begin as another one does. */
  private static final int ASKED_TEXTS = 16;

  /** The most batches in a row that are not tried after others that were in vain. */
  private static final int MOST_SKIPPED = 256;

  private int least; // byte of the last batch
  private int bits; // of a difference there, or 0 if there was none
  private int vain; // batches that were tried in a row
  private int skipped; // batches that will not be tried

  /** Returns the most bytes that so many may need. */
  public static long mostBytes(long count) {
    return HEADER_BYTES + Texts.padded(count) + Long.BYTES;
  }

  /**
   * Writes bytes, and returns where the next column goes. They are left to the codec of the shuffle
   * if texts begin alike, which it sees only in bytes as they are.
   *
   * @param lengths the bytes of each text
   * @param first the first of these
   * @param until behind the last of these
   */
  public long write(
      byte[] bytes, int count, long[] lengths, int first, int until, byte[] target, long at) {
    if (skipped > 0) {
      skipped--;
      return writePlain(bytes, count, target, at);
    }
    if (count > 0 && !beginAlike(bytes, lengths, first, until)) {
      long end = bits == 0 ? -1 : pack(bytes, count, target, at);
      if (end < 0) {
        findRange(bytes, count);
        end = bits == 0 ? -1 : pack(bytes, count, target, at);
      }
      if (end >= 0) {
        vain = 0;
        return end;
      }
    }
    skipped = Math.min(MOST_SKIPPED, 1 << Math.min(vain++, Integer.SIZE - 2)) - 1;
    return writePlain(bytes, count, target, at);
  }

  /** Writes bytes as they are, and returns where the next column goes. */
  public static long writePlain(byte[] bytes, int count, byte[] target, long at) {
    Texts.copy(bytes, Platform.BYTE_ARRAY_OFFSET, count, target, writePlainHeader(target, at));
    return at + HEADER_BYTES + Texts.padded(count);
  }

  /** Writes that bytes follow as they are, and returns where. */
  public static long writePlainHeader(Object target, long at) {
    Platform.putLong(target, at, Byte.SIZE);
    return at + HEADER_BYTES;
  }

  private static boolean beginAlike(byte[] bytes, long[] lengths, int first, int until) {
    long[] begins = new long[Math.min(ASKED_TEXTS, until - first)];
    int asked = 0;
    int from = 0;
    for (int i = first; i < until && asked < begins.length; i++) {
      if (lengths[i] >= Long.BYTES) {
        long begin = word(bytes, from);
        for (int other = 0; other < asked; other++) {
          if (begins[other] == begin) {
            return true;
          }
        }
        begins[asked++] = begin;
      }
      from += (int) lengths[i];
    }
    return asked < 2; // short texts are few bytes, or repeat
  }

  private static long word(byte[] bytes, int from) {
    return Platform.getLong(bytes, Platform.BYTE_ARRAY_OFFSET + (long) from);
  }

  private void findRange(byte[] bytes, int count) {
    int from = bytes[0];
    int to = from;
    for (int i = 1; i < count; i++) {
      from = Math.min(from, bytes[i]);
      to = Math.max(to, bytes[i]);
    }
    int needed = Integer.SIZE - Integer.numberOfLeadingZeros(to - from);
    least = from;
    bits = from < 0 || needed > MOST_BITS ? 0 : Math.max(LEAST_BITS, needed);
  }

  /** Writes differences, and returns where they end, or -1 if a byte is out of range. */
  private long pack(byte[] bytes, int count, byte[] target, long at) {
    Platform.putLong(target, at, ((long) least << Byte.SIZE) | bits);
    long base = least * LOWEST;
    long above = ~(((1L << bits) - 1) * LOWEST);
    long wrong = 0;
    long to = at + HEADER_BYTES;
    int i = 0;
    for (; i + Long.BYTES <= count; i += Long.BYTES, to += bits) {
      long word = word(bytes, i);
      long differences = ((word | HIGHEST) - base) ^ HIGHEST; // no byte borrows from the next
      wrong |= (word & HIGHEST) | (differences & above);
      Platform.putLong(target, to, narrow(differences, bits));
    }
    if (i < count) {
      long differences = 0;
      for (int last = count - 1; last >= i; last--) {
        int difference = bytes[last] - least;
        wrong |= difference >>> bits;
        differences = (differences << Byte.SIZE) | (difference & 0xFF);
      }
      Platform.putLong(target, to, narrow(differences, bits));
    }
    return wrong == 0 ? at + size(count, bits) : -1;
  }

  /** Returns the bytes of a column with its header. */
  private static long size(long count, int bits) {
    if (bits == Byte.SIZE || count == 0) {
      return HEADER_BYTES + Texts.padded(count);
    }
    long groups = (count + Long.BYTES - 1) / Long.BYTES;
    return HEADER_BYTES + Texts.padded((groups - 1) * bits + Long.BYTES);
  }

  /** Moves the lowest bits of all bytes together: those of two bytes, of four, of all. */
  private static long narrow(long bytes, int bits) {
    long twos = joined(bytes, bits, Byte.SIZE, 0x0001_0001_0001_0001L);
    long fours = joined(twos, 2 * bits, Short.SIZE, 0x0000_0001_0000_0001L);
    return joined(fours, 4 * bits, Integer.SIZE, 1);
  }

  /** Undoes {@link #narrow}. */
  private static long widen(long packed, int bits) {
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

  private static int bits(Object base, long at) {
    return (int) Platform.getLong(base, at) & 0xFF;
  }

  /** Returns the bytes of a column, with its header, that has so many as they are. */
  public static long plainBytes(long count) {
    return size(count, Byte.SIZE);
  }

  /** Returns where the column after the one at {@code at} begins, which has so many bytes. */
  public static long next(Object base, long at, long count) {
    return at + size(count, bits(base, at));
  }

  /** Reads the {@code count} bytes of the column at {@code at} into whole words. */
  public static void read(Object base, long at, long count, Object to, long offset) {
    int bits = bits(base, at);
    long from = at + HEADER_BYTES;
    if (bits == Byte.SIZE) {
      Texts.copy(base, from, count, to, offset);
      return;
    }
    long least = (Platform.getLong(base, at) >>> Byte.SIZE) * LOWEST;
    for (long i = 0; i < count; i += Long.BYTES, from += bits) {
      Platform.putLong(to, offset + i, least + widen(Platform.getLong(base, from), bits));
    }
  }

  /** The bytes of a column: where they lie, or in memory of its own if they have to be unpacked. */
  public static final class Reader {
    private byte[] unpacked = new byte[0];
    private Object base;
    private long offset;

    /** Reads the {@code count} bytes of the column at {@code at}. */
    public void read(Object from, long at, long count) {
      if (bits(from, at) == Byte.SIZE) {
        base = from;
        offset = at + HEADER_BYTES;
        return;
      }
      int needed = (int) Texts.padded(count);
      unpacked = unpacked.length < needed ? new byte[needed] : unpacked;
      base = unpacked;
      offset = Platform.BYTE_ARRAY_OFFSET;
      PackedBytes.read(from, at, count, unpacked, offset);
    }

    public Object base() {
      return base;
    }

    public long offset() {
      return offset;
    }
  }
}
