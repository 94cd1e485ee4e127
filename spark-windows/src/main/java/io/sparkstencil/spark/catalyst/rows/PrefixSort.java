/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.error.Cancellation;
import java.util.Arrays;
import java.util.function.LongBinaryOperator;
import org.apache.spark.unsafe.Platform;

/**
 * Sorts numbers with a value each, stably. What consists of ascending runs that hardly overlap is
 * put together of their pieces. Where a number and its place fit in one word, it is sorted as one
 * word: into a slot of its own if numbers are dense and differ, as times at regular intervals are,
 * else by its digits. The rest goes by the digits of the number, with its value.
 */
public final class PrefixSort {
  private static final int DIGIT_BITS = 8; // of a number with its value
  private static final int DIGITS = 1 << DIGIT_BITS;
  private static final int LEAST_DIGIT_BITS = 6; // of a word
  private static final int MOST_DIGIT_BITS = 11; // whose counts the first cache holds

  /** The numbers after whose comparison it is asked whether they are still wanted. */
  private static final int NUMBERS_PER_QUESTION = 1 << 16;

  /** Slots for each number, up to which sorts take them: ints in the memory of other values. */
  private static final int SLOTS = Long.BYTES / Integer.BYTES;

  private static final int FEW = 24; // numbers that insertion sorts quickest
  private static final int MOST_RUNS = 256;
  private static final int PIECE = 16; // numbers of a piece, from which pieces are quicker

  private long[] keys;
  private long[] values;
  private long[] otherKeys;
  private long[] otherValues;
  private int length;
  private boolean isConsecutive = true; // whether each value is one more than that before it

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
    isConsecutive = true;
  }

  public void add(long key, long value) {
    isConsecutive &= length == 0 || value == values[length - 1] + 1;
    keys[length] = key;
    values[length++] = value;
  }

  /** Adds the numbers {@code from} to before {@code until}, whose values are their places. */
  public void addAll(long[] numbers, int from, int until) {
    int count = until - from;
    isConsecutive &= length == 0 || values[length - 1] + 1 == from;
    System.arraycopy(numbers, from, keys, length, count);
    for (int i = 0; i < count; i++) {
      values[length + i] = (long) from + i;
    }
    length += count;
  }

  /** Puts the values, which are ints, to {@code places} from {@code first} on. */
  public void copyValues(int[] places, int first) {
    for (int i = 0; i < length; i++) {
      places[first + i] = (int) values[i];
    }
  }

  public long value(int index) {
    return values[index];
  }

  /** Sorts by keys, and values with equal keys by {@code ties}, unless it is null. */
  public void sort(LongBinaryOperator ties) {
    sortByKeys(ties != null);
    isConsecutive = false;
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

  /**
   * Sorts by keys.
   *
   * @param keep whether keys are still needed
   */
  private void sortByKeys(boolean keep) {
    if (length <= FEW) {
      insert();
      return;
    }
    long differing = 0;
    long least = keys[0];
    long most = keys[0];
    int runs = 1;
    for (int i = 1; i < length; i++) {
      differing |= keys[i] ^ keys[0];
      least = Math.min(least, keys[i]);
      most = Math.max(most, keys[i]);
      runs += keys[i] < keys[i - 1] ? 1 : 0;
    }
    if (runs == 1 || (runs <= Math.min(MOST_RUNS, length / PIECE) && joinRuns(runs))) {
      return;
    }
    CommonDivisor divisor = divided(least, Long.numberOfTrailingZeros(differing));
    long greatest = divisor.quotient(most - least);
    int bits = Long.SIZE - Long.numberOfLeadingZeros(greatest);
    int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(length - 1);
    if (bits + placeBits <= Long.SIZE) {
      if (!isPlaced(greatest, placeBits)) {
        sortWords(bits, placeBits);
      }
      readValues(placeBits);
      for (int i = 0; keep && i < length; i++) {
        keys[i] = (otherKeys[i] >>> placeBits) * divisor.value() + least;
      }
      return;
    }
    for (int shift = 0; shift < Long.SIZE; shift += DIGIT_BITS) {
      ask();
      if (((differing >>> shift) & (DIGITS - 1)) != 0) {
        distribute(shift);
      }
    }
  }

  /**
   * Divides all distances from the least number, whose low bits are the same, and leaves the
   * quotients in {@code otherKeys}; returns what they were divided by.
   */
  private CommonDivisor divided(long least, int same) {
    CommonDivisor sampled = CommonDivisor.sampled(keys, 0, length);
    if (sampled != null && sampled.divide(keys, 0, length, least, otherKeys)) {
      return sampled;
    }
    CommonDivisor power = CommonDivisor.ofBits(same < Long.SIZE ? same : 0);
    power.divide(keys, 0, length, least, otherKeys);
    return power;
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

  /**
   * Makes sorted words of the quotients in {@code otherKeys}, by a slot for each number up to the
   * greatest; false, and quotients stay, if there are too many slots or two numbers are equal.
   */
  private boolean isPlaced(long greatest, int placeBits) {
    boolean tie = greatest < length - 1; // there are not as many numbers
    if (tie || greatest >= (long) SLOTS * length) {
      return false;
    }
    ask();
    Arrays.fill(otherValues, 0, (int) (greatest / SLOTS) + 1, 0);
    long taken = 0;
    for (int i = 0; i < length; i++) {
      long slot = slot(otherKeys[i]);
      taken |= Platform.getInt(otherValues, slot);
      Platform.putInt(otherValues, slot, i + 1);
    }
    if (taken != 0) {
      return false;
    }
    int placed = 0;
    for (long number = 0; placed < length; number++) {
      int next = Platform.getInt(otherValues, slot(number));
      otherKeys[placed] = number << placeBits | (next - 1);
      placed += next == 0 ? 0 : 1; // else the word is written over
    }
    return true;
  }

  private static long slot(long number) {
    return Platform.LONG_ARRAY_OFFSET + number * Integer.BYTES;
  }

  /**
   * Sorts words of {@code bits} bits of the quotients in {@code otherKeys} and {@code placeBits}
   * bits of their places, and leaves them there.
   */
  private void sortWords(int bits, int placeBits) {
    int most = Math.max(LEAST_DIGIT_BITS, Math.min(MOST_DIGIT_BITS, placeBits));
    int passes = (bits + most - 1) / most;
    int digitBits = (bits + passes - 1) / passes;
    int mask = (1 << digitBits) - 1;
    int[] starts = new int[passes << digitBits];
    long[] words = otherKeys;
    long[] target = otherValues;
    for (int i = 0; i < length; i++) {
      long number = words[i];
      words[i] = number << placeBits | i;
      for (int pass = 0; pass < passes; pass++) {
        starts[(pass << digitBits) + ((int) number & mask)]++;
        number >>>= digitBits;
      }
    }
    for (int pass = 0; pass < passes; pass++) {
      ask();
      int first = pass << digitBits;
      int next = 0;
      for (int at = first; at <= first + mask; at++) {
        int count = starts[at];
        starts[at] = next;
        next += count;
      }
      int shift = placeBits + pass * digitBits;
      for (int i = 0; i < length; i++) {
        long word = words[i];
        target[starts[first + ((int) (word >>> shift) & mask)]++] = word;
      }
      long[] sorted = target;
      target = words;
      words = sorted;
    }
    otherKeys = words;
    otherValues = target;
  }

  /** Puts values in the order of the sorted words. */
  private void readValues(int placeBits) {
    long[] words = otherKeys;
    long places = (1L << placeBits) - 1;
    if (isConsecutive) {
      long first = values[0];
      for (int i = 0; i < length; i++) {
        values[i] = first + (words[i] & places);
      }
      return;
    }
    long[] target = otherValues;
    for (int i = 0; i < length; i++) {
      target[i] = values[(int) (words[i] & places)];
    }
    otherValues = values;
    values = target;
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

  /**
   * Puts runs together: of the run with the least number, what comes before the next run's. Leaves
   * all as it is and returns false where these pieces are small.
   */
  private boolean joinRuns(int runs) {
    int[] at = new int[runs]; // the next number of each run
    int[] ends = new int[runs];
    int found = 0;
    for (int i = 1; i < length; i++) {
      if (keys[i] < keys[i - 1]) {
        ends[found++] = i;
        at[found] = i;
      }
    }
    ends[found] = length;
    int[] open = new int[runs]; // runs by their next numbers, the least last
    int left = 0;
    for (int run = 0; run < runs; run++) {
      queue(open, left++, run, at);
    }
    int to = 0;
    for (int pieces = 1; left > 0; pieces++) {
      int run = open[--left];
      int from = at[run];
      int until = left == 0 ? ends[run] : before(open[left - 1], run, ends[run], at);
      System.arraycopy(keys, from, otherKeys, to, until - from);
      System.arraycopy(values, from, otherValues, to, until - from);
      to += until - from;
      if (pieces * PIECE > to + length / 8) {
        return false;
      }
      at[run] = until;
      if (until < ends[run]) {
        queue(open, left++, run, at);
      }
    }
    swap();
    return true;
  }

  /** Puts a run among {@code count} others. */
  private void queue(int[] open, int count, int run, int[] at) {
    int place = count;
    for (; place > 0 && isBefore(at[open[place - 1]], open[place - 1], run, at); place--) {
      open[place] = open[place - 1];
    }
    open[place] = run;
  }

  /** Tells whether number {@code i} of a run comes before the next one of another. */
  private boolean isBefore(int i, int run, int other, int[] at) {
    long bound = keys[at[other]];
    return keys[i] < bound || (keys[i] == bound && run < other);
  }

  /** Returns the end of what comes before the next number of another run: one number or more. */
  private int before(int other, int run, int end, int[] at) {
    int from = at[run] + 1;
    int until = end;
    while (from < until) {
      int middle = (from + until) >>> 1;
      if (isBefore(middle, run, other, at)) {
        from = middle + 1;
      } else {
        until = middle;
      }
    }
    return from;
  }

  /** Asks whether the numbers are still wanted, if there are many. */
  private void ask() {
    if (length >= NUMBERS_PER_QUESTION) {
      Cancellation.ask();
    }
  }

  /** Sorts values {@code [from, until)}, whose keys are equal. */
  private void mergeTies(int from, int until, LongBinaryOperator ties) {
    int merged = 0;
    for (int width = 1; width < until - from; width *= 2) {
      for (int start = from; start < until; start += 2 * width) {
        int middle = Math.min(until, start + width);
        int end = Math.min(until, middle + width);
        merged += end - start;
        if (merged >= NUMBERS_PER_QUESTION) {
          Cancellation.ask();
          merged = 0;
        }
        int left = start;
        int right = middle;
        for (int at = start; at < end; at++) {
          if (((at - start) & (NUMBERS_PER_QUESTION - 1)) == NUMBERS_PER_QUESTION - 1) {
            Cancellation.ask();
          }
          boolean takeRight =
              left == middle || (right < end && ties.applyAsLong(values[right], values[left]) < 0);
          otherValues[at] = takeRight ? values[right++] : values[left++];
        }
      }
      System.arraycopy(otherValues, from, values, from, until - from);
    }
  }
}
