/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.columns.Texts;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.spark.unsafe.Platform;

/**
 * The bytes by which all texts of a batch begin, and those by which all end, but for empty texts.
 * Texts lie one after the other.
 */
final class CommonEnds {
  private static final long BYTES = Platform.BYTE_ARRAY_OFFSET;

  /** Bytes for words that reach behind what is copied. */
  private static final int SLACK = Long.BYTES;

  private byte[] ends = new byte[SLACK]; // the first bytes of a text, then the last ones
  private int begin; // bytes that all texts begin with
  private int end; // bytes that all texts end with
  private byte[] between = new byte[0]; // of each text what is left of it

  /** Returns the bytes that all texts have in common. */
  int count() {
    return begin + end;
  }

  int begin() {
    return begin;
  }

  int end() {
    return end;
  }

  /** Returns an array with these bytes first. */
  byte[] bytes() {
    return ends;
  }

  /** Returns an array with what is left of the texts after {@link #cut}, and room behind it. */
  byte[] between() {
    return between;
  }

  /** Finds what some texts have in common. */
  void find(byte[] texts, long[] lengths, int first, int until) {
    begin = 0;
    end = 0;
    int one = -1; // a text
    int oneEnd = 0;
    int from = 0;
    int shortest = Integer.MAX_VALUE;
    int compared = 0;
    for (int i = first; i < until; i++) {
      int length = (int) lengths[i];
      if (length == 0) {
        continue;
      }
      if (one < 0) {
        one = from;
        oneEnd = from + length;
        begin = length;
        end = length;
      } else {
        begin = begin == 0 ? 0 : commonBegin(texts, one, from, Math.min(begin, length));
        end = commonEnd(texts, oneEnd, from + length, Math.min(end, length));
        compared++;
        if (begin + end == 0) {
          return;
        }
      }
      shortest = Math.min(shortest, length);
      from += length;
    }
    begin = compared == 0 ? 0 : begin;
    end = compared == 0 ? 0 : Math.min(end, shortest - begin);
    room(count());
    System.arraycopy(texts, Math.max(0, one), ends, 0, begin);
    System.arraycopy(texts, oneEnd - end, ends, begin, end);
  }

  private static int commonBegin(byte[] texts, int one, int other, int most) {
    int differ = Arrays.mismatch(texts, one, one + most, texts, other, other + most);
    return differ < 0 ? most : differ;
  }

  private static int commonEnd(byte[] texts, int oneEnd, int otherEnd, int most) {
    int same = 0;
    if (Math.min(oneEnd, otherEnd) >= Long.BYTES) {
      long differ = lastWord(texts, oneEnd) ^ lastWord(texts, otherEnd);
      same = Long.numberOfLeadingZeros(differ) / Byte.SIZE;
      if (same < Long.BYTES || most <= Long.BYTES) {
        return Math.min(same, most);
      }
    }
    while (same < most && texts[oneEnd - 1 - same] == texts[otherEnd - 1 - same]) {
      same++;
    }
    return same;
  }

  /** Returns eight bytes as a word of which the last byte is the highest. */
  private static long lastWord(byte[] texts, int end) {
    long word = Platform.getLong(texts, BYTES + end - Long.BYTES);
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? Long.reverseBytes(word) : word;
  }

  private void room(int bytes) {
    ends = ends.length < bytes + SLACK ? new byte[bytes + SLACK] : ends;
  }

  /** Puts what is left of the texts one after the other, and returns how many bytes that is. */
  int cut(byte[] texts, int count, long[] lengths, int first, int until) {
    roomBetween(count);
    int common = count();
    int from = begin;
    int to = 0;
    for (int i = first; i < until; i++) {
      int length = (int) lengths[i];
      if (length > 0) {
        int left = length - common;
        if (from + left + SLACK <= texts.length) {
          Texts.copyWords(texts, BYTES + from, left, between, BYTES + to);
        } else {
          Texts.copyBytes(texts, BYTES + from, left, between, BYTES + to);
        }
        from += length;
        to += left;
      }
    }
    return to;
  }

  /** Takes what was found when texts were written. */
  void set(int ofBegin, int ofEnd, Object base, long at) {
    begin = ofBegin;
    end = ofEnd;
    room(count());
    Platform.copyMemory(base, at, ends, BYTES, count());
  }

  /** Returns an array with room for so many bytes, for what is left of texts. */
  byte[] roomBetween(long bytes) {
    int needed = (int) Texts.padded(bytes) + SLACK;
    between = between.length < needed ? new byte[needed] : between;
    return between;
  }

  /**
   * Undoes {@link #cut}.
   *
   * @param count the bytes of all texts; there is room for whole words
   */
  void join(long count, long[] lengths, int texts, Object to, long offset) {
    long limit = offset + Texts.padded(count);
    int common = count();
    long from = BYTES;
    long at = offset;
    for (int i = 0; i < texts; i++) {
      if (lengths[i] > 0) {
        long left = lengths[i] - common;
        boolean isRoom = at + lengths[i] + SLACK <= limit;
        copy(ends, BYTES, begin, to, at, isRoom);
        copy(between, from, left, to, at + begin, isRoom);
        copy(ends, BYTES + begin, end, to, at + begin + left, isRoom);
        from += left;
        at += lengths[i];
      }
    }
  }

  private static void copy(byte[] from, long offset, long bytes, Object to, long at, boolean room) {
    if (room) {
      Texts.copyWords(from, offset, bytes, to, at);
    } else {
      Texts.copyBytes(from, offset, bytes, to, at);
    }
  }
}
