/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.columns.Texts;
import org.apache.spark.unsafe.Platform;

/**
 * The bytes of a column of texts in a batch, those of one row after the other: as they are, or in
 * the few bits of a {@link LetterCode} and without what all texts begin or end with. In whole words
 * these are:
 *
 * <pre>
 *   int code, or 8 if bytes are as they are; int bytes that follow
 *   if coded: int bytes that all texts begin with, int bytes that all end with, these bytes
 *   the bytes
 * </pre>
 */
public final class PackedBytes {
  private static final int HEADER_BYTES = Long.BYTES;

  /** Texts of a batch of which none of the first may begin as another one does. */
  private static final int ASKED_TEXTS = 16;

  /** The most bytes that are tried; beyond, a text is so long that it needs all memory there is. */
  private static final int MOST_BYTES = 1 << 20;

  private final CommonEnds ends = new CommonEnds();
  private LetterCode code; // of the last batch, or null if there was none
  private final FormTrials trials = new FormTrials();

  /** Returns the most bytes that so many may need. */
  public static long mostBytes(long count) {
    return HEADER_BYTES + Texts.padded(count) + 3 * Long.BYTES;
  }

  /** Tells whether so many bytes may be written otherwise than as they are. */
  public static boolean isTried(long count) {
    return count <= MOST_BYTES;
  }

  /**
   * Writes bytes, and returns where the next column goes. They are left to the codec of the shuffle
   * if what differs of texts begins alike, which it sees only in bytes as they are.
   *
   * @param lengths the bytes of each text
   * @param first the first of these
   * @param until behind the last of these
   */
  long write(
      byte[] bytes, int count, long[] lengths, int first, int until, byte[] target, long at) {
    if (!isTried(count) || !trials.isDue()) {
      return writePlain(bytes, count, target, at);
    }
    ends.find(bytes, lengths, first, until);
    boolean cut = ends.count() > 0;
    int left = cut ? ends.cut(bytes, count, lengths, first, until) : count;
    byte[] between = cut ? ends.between() : bytes;
    if (count > 0 && (left == 0 || !beginAlike(between, lengths, first, until))) {
      long end = pack(between, left, target, at);
      if (end >= 0) {
        trials.gained();
        return end;
      }
    }
    trials.failed();
    return writePlain(bytes, count, target, at);
  }

  /** Writes bytes as they are, and returns where the next column goes. */
  private static long writePlain(byte[] bytes, int count, byte[] target, long at) {
    long to = writePlainHeader(target, at, count);
    Texts.copy(bytes, Platform.BYTE_ARRAY_OFFSET, count, target, to);
    return at + plainBytes(count);
  }

  /** Writes that so many bytes follow as they are, and returns where. */
  public static long writePlainHeader(Object target, long at, long count) {
    Platform.putLong(target, at, (Texts.padded(count) << Integer.SIZE) | Byte.SIZE);
    return at + HEADER_BYTES;
  }

  private boolean beginAlike(byte[] bytes, long[] lengths, int first, int until) {
    long[] begins = new long[Math.min(ASKED_TEXTS, until - first)];
    int common = ends.count();
    int asked = 0;
    int from = 0;
    for (int i = first; i < until && asked < begins.length; i++) {
      int length = Math.max(0, (int) lengths[i] - common);
      if (length >= Long.BYTES) {
        long begin = Platform.getLong(bytes, Platform.BYTE_ARRAY_OFFSET + (long) from);
        for (int other = 0; other < asked; other++) {
          if (begins[other] == begin) {
            return true;
          }
        }
        begins[asked++] = begin;
      }
      from += length;
    }
    return asked < 2 && common == 0; // short texts are few bytes, or repeat
  }

  /** Writes codes, and returns where they end, or -1 if bytes need more bits. */
  private long pack(byte[] bytes, int count, byte[] target, long at) {
    long to = at + HEADER_BYTES + Long.BYTES + Texts.padded(ends.count());
    if (code == null || !code.write(bytes, count, target, to)) {
      code = LetterCode.of(bytes, count);
      if (code == null) {
        return -1;
      }
      code.write(bytes, count, target, to);
    }
    long end = to + code.size(count);
    Platform.putInt(target, at, code.word());
    Platform.putInt(target, at + Integer.BYTES, (int) (end - at - HEADER_BYTES));
    Platform.putInt(target, at + HEADER_BYTES, ends.begin());
    Platform.putInt(target, at + HEADER_BYTES + Integer.BYTES, ends.end());
    long common = at + HEADER_BYTES + Long.BYTES;
    Texts.copy(ends.bytes(), Platform.BYTE_ARRAY_OFFSET, ends.count(), target, common);
    return end;
  }

  /** Returns the bytes of a column, with its header, that has so many as they are. */
  public static long plainBytes(long count) {
    return HEADER_BYTES + Texts.padded(count);
  }

  /** Returns where the column after the one at {@code at} begins. */
  public static long next(Object base, long at) {
    return at + HEADER_BYTES + Platform.getInt(base, at + Integer.BYTES);
  }

  /** Reads columns, with memory that is used again. */
  public static final class Reader {
    private final CommonEnds ends = new CommonEnds();
    private byte[] unpacked = new byte[0];
    private Object base;
    private long offset;

    /**
     * Finds the {@code count} bytes of the column at {@code at}: where they lie, or in memory of
     * the reader if they have to be unpacked.
     *
     * @param lengths the bytes of each text
     */
    public void find(Object from, long at, long count, long[] lengths, int texts) {
      if (Platform.getInt(from, at) == Byte.SIZE) {
        base = from;
        offset = at + HEADER_BYTES;
        return;
      }
      int needed = (int) Texts.padded(count);
      unpacked = unpacked.length < needed ? new byte[needed] : unpacked;
      base = unpacked;
      offset = Platform.BYTE_ARRAY_OFFSET;
      read(from, at, count, lengths, texts, unpacked, offset);
    }

    public Object base() {
      return base;
    }

    public long offset() {
      return offset;
    }

    /** Reads the {@code count} bytes of the column at {@code at} into whole words. */
    public void read(
        Object from, long at, long count, long[] lengths, int texts, Object to, long toOffset) {
      int word = Platform.getInt(from, at);
      long begin = at + HEADER_BYTES;
      if (word == Byte.SIZE) {
        Texts.copy(from, begin, count, to, toOffset);
        return;
      }
      LetterCode code = LetterCode.of(word);
      int ofBegin = Platform.getInt(from, begin);
      int ofEnd = Platform.getInt(from, begin + Integer.BYTES);
      begin += Long.BYTES;
      if (ofBegin + ofEnd == 0) {
        code.read(from, begin, count, to, toOffset);
        return;
      }
      ends.set(ofBegin, ofEnd, from, begin);
      long left = count;
      for (int i = 0; i < texts; i++) {
        left -= lengths[i] == 0 ? 0 : ends.count();
      }
      begin += Texts.padded(ends.count());
      code.read(from, begin, left, ends.roomBetween(left), Platform.BYTE_ARRAY_OFFSET);
      ends.join(count, lengths, texts, to, toOffset);
    }
  }
}
