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

  private final long[] values = new long[MOST];
  private final byte[] slots = new byte[1 << SLOT_BITS]; // 1 + the number of a value, or 0
  private long[] numbers = new long[0];
  private int count;
  private final FormTrials trials = new FormTrials();

  /** Numbers some words; false if there are too many different ones, or they are not tried. */
  boolean find(long[] words, int first, int until) {
    if (!trials.isDue()) {
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
    int rows = until - first;
    numbers = numbers.length < rows ? new long[rows] : numbers;
    Arrays.fill(slots, (byte) 0);
    int found = 0;
    for (int i = 0; i < rows; i++) {
      long word = words[first + i];
      int slot = (int) ((word * SPREAD) >>> (Long.SIZE - SLOT_BITS));
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
