/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import java.util.Arrays;

/**
 * Columns of few different words, as those of keys are after a shuffle by these: numbers of the
 * words in the order in which they occur first. One for each column.
 */
final class FewValues {
  /** The most different words. */
  private static final int MOST = 32;

  private static final int SLOT_BITS = 7;
  private static final long SPREAD = 0x9E3779B97F4A7C15L; // a hash by multiplication

  /** Words so near the first one of a batch need no hash. */
  private static final int NEAR = 1 << 11;

  private final long[] values = new long[MOST];
  private final byte[] slots = new byte[1 << SLOT_BITS]; // 1 + the number of a value, or 0
  private final byte[] near = new byte[2 * NEAR]; // the same by distance; zeros between batches
  private long[] numbers = new long[0];
  private int count;
  private final FormTrials trials = new FormTrials();

  /** Numbers some words; false if there are too many different ones, or they are not tried. */
  boolean find(long[] words, int first, int until) {
    if (first == until || !trials.isDue()) {
      return false;
    }
    if (!isNumbered(words, first, until)) {
      giveUp();
      return false;
    }
    return true;
  }

  /** Says that the numbers of this batch were a gain. */
  void keep() {
    trials.gained();
  }

  /** Says that the numbers of this batch were no gain, or that there are none. */
  void giveUp() {
    trials.failed();
  }

  private boolean isNumbered(long[] words, int first, int until) {
    numbers = numbers.length < until - first ? new long[until - first] : numbers;
    long base = words[first] - NEAR;
    int done = numberNear(words, first, until, base);
    for (int i = 0; i < count; i++) {
      near[(int) (values[i] - base)] = 0;
    }
    return first + done == until || (count < MOST && isNumberedByHash(words, first, until));
  }

  /** Numbers words up to the first that is far or one too many, and returns how many they are. */
  private int numberNear(long[] words, int first, int until, long base) {
    int rows = until - first;
    count = 0;
    for (int i = 0; i < rows; i++) {
      long distance = words[first + i] - base;
      if (distance < 0 || distance >= near.length) {
        return i;
      }
      int number = near[(int) distance] - 1;
      if (number < 0) {
        if (count == MOST) {
          return i;
        }
        number = count++;
        values[number] = words[first + i];
        near[(int) distance] = (byte) count;
      }
      numbers[i] = number;
    }
    return rows;
  }

  private boolean isNumberedByHash(long[] words, int first, int until) {
    int rows = until - first;
    Arrays.fill(slots, (byte) 0);
    int found = 0;
    for (int i = 0; i < rows; i++) {
      long word = words[first + i];
      int slot = slot(word);
      int number = slots[slot] - 1;
      while (number >= 0 && values[number] != word) {
        slot = (slot + 1) & (slots.length - 1);
        number = slots[slot] - 1;
      }
      if (number < 0) {
        if (found == MOST) {
          return false;
        }
        number = found++;
        values[number] = word;
        slots[slot] = (byte) found;
      }
      numbers[i] = number;
    }
    count = found;
    return true;
  }

  /** Returns the slot of a word. Keys of one partition, mixed once as for that, would meet. */
  private static int slot(long word) {
    long once = word * SPREAD;
    return (int) (((once ^ (once >>> Integer.SIZE)) * SPREAD) >>> (Long.SIZE - SLOT_BITS));
  }

  /** Returns how many different words there are. */
  int count() {
    return count;
  }

  /** Returns an array with these words first. */
  long[] values() {
    return values;
  }

  /** Returns the numbers of the words, which begin at 0. */
  long[] numbers() {
    return numbers;
  }
}
