/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.order;

import java.util.function.LongBinaryOperator;

/**
 * Sorts numbers with a value each, stably. What consists of a few ascending runs is merged, the
 * rest goes by the digits in which the numbers differ.
 */
public final class PrefixSort {
  private static final int DIGIT_BITS = 8;
  private static final int DIGITS = 1 << DIGIT_BITS;
  private static final int FEW = 24; // numbers that insertion sorts quickest

  private long[] keys;
  private long[] values;
  private long[] otherKeys;
  private long[] otherValues;
  private int length;

  /** Creates a sorter of up to {@code capacity} numbers, which takes 32 bytes each. */
  public PrefixSort(int capacity) {
    this.keys = new long[capacity];
    this.values = new long[capacity];
    this.otherKeys = new long[capacity];
    this.otherValues = new long[capacity];
  }

  /** Forgets all numbers. */
  public void clear() {
    length = 0;
  }

  public void add(long key, long value) {
    keys[length] = key;
    values[length++] = value;
  }

  public long value(int index) {
    return values[index];
  }

  /** Sorts by keys, and values with equal keys by {@code ties}, unless it is null. */
  public void sort(LongBinaryOperator ties) {
    sortByKeys();
    if (ties == null) {
      return;
    }
    for (int from = 0; from < length; ) {
      int until = from + 1;
      while (until < length && keys[until] == keys[from]) {
        until++;
      }
      if (until - from > 1) {
        mergeTies(from, until, ties);
      }
      from = until;
    }
  }

  private void sortByKeys() {
    if (length <= FEW) {
      insert();
      return;
    }
    long differing = 0;
    int runs = 1;
    for (int i = 1; i < length; i++) {
      differing |= keys[i] ^ keys[0];
      runs += keys[i] < keys[i - 1] ? 1 : 0;
    }
    if (runs == 1) {
      return;
    }
    int digits = 0;
    for (int shift = 0; shift < Long.SIZE; shift += DIGIT_BITS) {
      digits += ((differing >>> shift) & (DIGITS - 1)) != 0 ? 1 : 0;
    }
    int merges = Integer.SIZE - Integer.numberOfLeadingZeros(runs - 1);
    if (merges <= digits) {
      mergeRuns(runs);
    } else {
      for (int shift = 0; shift < Long.SIZE; shift += DIGIT_BITS) {
        if (((differing >>> shift) & (DIGITS - 1)) != 0) {
          distribute(shift);
        }
      }
    }
  }

  private void insert() {
    for (int i = 1; i < length; i++) {
      long key = keys[i];
      long value = values[i];
      int at = i;
      while (at > 0 && keys[at - 1] > key) {
        keys[at] = keys[at - 1];
        values[at] = values[at - 1];
        at--;
      }
      keys[at] = key;
      values[at] = value;
    }
  }

  private void distribute(int shift) {
    // The highest digit has the sign: its upper half comes first.
    long flip = shift == Long.SIZE - DIGIT_BITS ? Long.MIN_VALUE : 0;
    int[] starts = new int[DIGITS + 1];
    for (int i = 0; i < length; i++) {
      starts[(int) (((keys[i] ^ flip) >>> shift) & (DIGITS - 1)) + 1]++;
    }
    for (int digit = 1; digit <= DIGITS; digit++) {
      starts[digit] += starts[digit - 1];
    }
    for (int i = 0; i < length; i++) {
      int at = starts[(int) (((keys[i] ^ flip) >>> shift) & (DIGITS - 1))]++;
      otherKeys[at] = keys[i];
      otherValues[at] = values[i];
    }
    swap();
  }

  private void swap() {
    long[] sortedKeys = otherKeys;
    long[] sortedValues = otherValues;
    otherKeys = keys;
    otherValues = values;
    keys = sortedKeys;
    values = sortedValues;
  }

  private void mergeRuns(int runs) {
    int[] starts = new int[runs + 1];
    int found = 1;
    for (int i = 1; i < length; i++) {
      if (keys[i] < keys[i - 1]) {
        starts[found++] = i;
      }
    }
    starts[found] = length;
    while (found > 1) {
      int merged = 0;
      for (int run = 0; run < found; run += 2) {
        int middle = starts[run + 1];
        int end = run + 2 <= found ? starts[run + 2] : middle;
        mergeTwo(starts[run], middle, end);
        starts[merged++] = starts[run];
      }
      starts[merged] = length;
      found = merged;
      swap();
    }
  }

  private void mergeTwo(int from, int middle, int end) {
    int left = from;
    int right = middle;
    int at = from;
    while (left < middle && right < end) {
      boolean takeRight = keys[right] < keys[left];
      int source = takeRight ? right++ : left++;
      otherKeys[at] = keys[source];
      otherValues[at++] = values[source];
    }
    int rest = left < middle ? left : right;
    int count = left < middle ? middle - left : end - right;
    System.arraycopy(keys, rest, otherKeys, at, count);
    System.arraycopy(values, rest, otherValues, at, count);
  }

  /** Sorts values {@code [from, until)}, whose keys are equal. */
  private void mergeTies(int from, int until, LongBinaryOperator ties) {
    for (int width = 1; width < until - from; width *= 2) {
      for (int start = from; start < until; start += 2 * width) {
        int middle = Math.min(until, start + width);
        int end = Math.min(until, middle + width);
        int left = start;
        int right = middle;
        for (int at = start; at < end; at++) {
          boolean takeRight =
              left == middle || (right < end && ties.applyAsLong(values[right], values[left]) < 0);
          otherValues[at] = takeRight ? values[right++] : values[left++];
        }
      }
      System.arraycopy(otherValues, from, values, from, until - from);
    }
  }
}
