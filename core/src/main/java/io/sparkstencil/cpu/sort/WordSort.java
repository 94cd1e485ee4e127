/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.sort;

import io.sparkstencil.error.Cancellation;

/**
 * Sorts words, and where each came from, stably: first into parts by their highest bits, until
 * those of a part fit in the cache, then each part by its digits, the lowest first.
 */
final class WordSort {
  /** Bytes for each word, with the word itself. */
  static final int ROW_BYTES = 2 * (Long.BYTES + Integer.BYTES);

  private static final int WORDS_PER_QUESTION = 1 << 22; // are moved before it is asked again
  private static final int FEW = 24; // words that insertion sorts quickest
  private static final int MOST_CACHED = 1 << 13; // words of a part that fit in the cache
  private static final int WANTED_BITS = 11; // of the number of words in a part
  private static final int MOST_SPLIT_BITS = 11; // whose parts are written to at a time
  private static final int MOST_DIGIT_BITS = 11; // whose counts the first cache holds

  private final long[] words;
  private final int[] places;
  private final long[] otherWords;
  private final int[] otherPlaces;
  private final long[] marked; // words of a part with their places there
  private final long[] otherMarked;

  /** Creates a sort of words, which become the sorted ones. */
  WordSort(long[] words) {
    this.words = words;
    this.places = new int[words.length];
    this.otherWords = new long[words.length];
    this.otherPlaces = new int[words.length];
    this.marked = new long[Math.min(MOST_CACHED, words.length)];
    this.otherMarked = new long[marked.length];
  }

  /** Sorts words that have no more than {@code bits} bits. */
  void sort(int bits) {
    for (int i = 0; i < places.length; i++) {
      places[i] = i;
    }
    sort(0, words.length, bits, false);
  }

  long[] words() {
    return words;
  }

  /** Returns where each word was. */
  int[] places() {
    return places;
  }

  /**
   * Sorts words {@code [from, until)}, which do not differ above the lowest {@code bits}.
   *
   * @param moved whether they are among the other words; sorted they are not
   */
  private void sort(int from, int until, int bits, boolean moved) {
    int count = until - from;
    if (count <= FEW || bits == 0) {
      if (moved) {
        System.arraycopy(otherWords, from, words, from, count);
        System.arraycopy(otherPlaces, from, places, from, count);
      }
      if (bits > 0) {
        insert(from, until);
      }
      return;
    }
    int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(count - 1);
    if (count <= MOST_CACHED && bits + placeBits <= Long.SIZE) {
      sortDigits(from, count, bits, placeBits, moved);
      return;
    }
    int splitBits = Math.max(1, Math.min(MOST_SPLIT_BITS, placeBits - WANTED_BITS));
    split(from, until, Math.min(bits, splitBits), bits, moved);
  }

  private void insert(int from, int until) {
    for (int i = from + 1; i < until; i++) {
      long word = words[i];
      int place = places[i];
      int at = i;
      while (at > from && Long.compareUnsigned(words[at - 1], word) > 0) {
        words[at] = words[at - 1];
        places[at] = places[at - 1];
        at--;
      }
      words[at] = word;
      places[at] = place;
    }
  }

  private void split(int from, int until, int splitBits, int bits, boolean moved) {
    Cancellation.ask();
    long[] source = moved ? otherWords : words;
    int[] sourcePlaces = moved ? otherPlaces : places;
    long[] target = moved ? words : otherWords;
    int[] targetPlaces = moved ? places : otherPlaces;
    int shift = bits - splitBits;
    int mask = (1 << splitBits) - 1;
    int[] next = new int[mask + 1];
    for (int i = from; i < until; i++) {
      next[(int) (source[i] >>> shift) & mask]++;
    }
    if (next[(int) (source[from] >>> shift) & mask] == until - from) {
      sort(from, until, shift, moved); // nothing need be moved
      return;
    }
    int at = from;
    for (int part = 0; part <= mask; part++) {
      int count = next[part];
      next[part] = at;
      at += count;
    }
    for (int i = from; i < until; i++) {
      if (((i - from) & (WORDS_PER_QUESTION - 1)) == WORDS_PER_QUESTION - 1) {
        Cancellation.ask();
      }
      long word = source[i];
      int to = next[(int) (word >>> shift) & mask]++;
      target[to] = word;
      targetPlaces[to] = sourcePlaces[i];
    }
    int begin = from;
    for (int end : next) {
      if (end > begin) {
        sort(begin, end, shift, !moved);
      }
      begin = end;
    }
  }

  /** Sorts a part as words of what differs and, below that, places in the part. */
  private void sortDigits(int from, int count, int bits, int placeBits, boolean moved) {
    int passes = (bits + MOST_DIGIT_BITS - 1) / MOST_DIGIT_BITS;
    int digitBits = (bits + passes - 1) / passes;
    int mask = (1 << digitBits) - 1;
    int[] next = new int[passes << digitBits];
    long[] source = moved ? otherWords : words;
    long low = -1L >>> (Long.SIZE - bits);
    long same = source[from] & ~low;
    for (int i = 0; i < count; i++) {
      long word = source[from + i] & low;
      marked[i] = (word << placeBits) | i;
      for (int first = 0; first < next.length; first += mask + 1) {
        next[first + ((int) word & mask)]++;
        word >>>= digitBits;
      }
    }
    long[] sorted = marked;
    long[] target = otherMarked;
    for (int pass = 0; pass < passes; pass++) {
      pass(sorted, target, count, next, pass << digitBits, mask, placeBits + pass * digitBits);
      long[] done = target;
      target = sorted;
      sorted = done;
    }
    if (!moved) {
      System.arraycopy(places, from, otherPlaces, from, count);
    }
    int placeMask = (1 << placeBits) - 1;
    for (int i = 0; i < count; i++) {
      long word = sorted[i];
      words[from + i] = same | (word >>> placeBits);
      places[from + i] = otherPlaces[from + ((int) word & placeMask)];
    }
  }

  /** Sorts words by one digit, whose counts begin at {@code first}. */
  private static void pass(
      long[] source, long[] target, int count, int[] next, int first, int mask, int shift) {
    int at = 0;
    for (int digit = first; digit <= first + mask; digit++) {
      int here = next[digit];
      next[digit] = at;
      at += here;
    }
    for (int i = 0; i < count; i++) {
      long word = source[i];
      target[next[first + ((int) (word >>> shift) & mask)]++] = word;
    }
  }
}
