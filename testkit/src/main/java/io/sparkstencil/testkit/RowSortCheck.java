/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.engine.RowSort;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Random rows that are sorted, compared with a stable sort of their own values. */
public final class RowSortCheck {
  private final Opener opener;
  private final int rows;
  private final int columns;
  private final Random random;

  /** Opens a sort of rows with so many columns. */
  @FunctionalInterface
  public interface Opener {
    /** Returns a sort that has no rows yet. */
    RowSort open(int rows, int columns);
  }

  /** Creates a check of sorts of rows with 1 to 5 columns or more. */
  public RowSortCheck(Opener opener, int rows, int columns, long seed) {
    this.opener = opener;
    this.rows = rows;
    this.columns = columns;
    this.random = new Random(seed);
  }

  /**
   * Sorts new rows by keys of no bits, of few, of all that there are, all columns returned or
   * fewer, and requires that they are in order.
   */
  public void run() {
    int turn = 0;
    for (List<RowSort.Key> keys : keys()) {
      try (RowSort sort = opener.open(rows, columns)) {
        run(sort, keys, columns - turn++ % (columns + 1));
      }
    }
  }

  private List<List<RowSort.Key>> keys() {
    RowSort.Key first = new RowSort.Key(0, RowSort.Form.LONG, false, -5, 3);
    RowSort.Key last =
        new RowSort.Key(columns - 1, RowSort.Form.LONG, columns > 3, Long.MIN_VALUE, 33);
    RowSort.Key constant = new RowSort.Key(columns / 2, RowSort.Form.INT, false, -1L << 30, 0);
    RowSort.Key narrow = new RowSort.Key(1, RowSort.Form.BYTE, true, -128, 7);
    return switch (columns) {
      case 1 ->
          List.of(
              List.of(new RowSort.Key(0, RowSort.Form.LONG, false, Long.MIN_VALUE, 64)),
              List.of(new RowSort.Key(0, RowSort.Form.DOUBLE, true, Long.MIN_VALUE, 64)),
              List.of(new RowSort.Key(0, RowSort.Form.FLOAT, false, Long.MIN_VALUE, 64)),
              List.of(first),
              List.of());
      case 2 -> List.of(List.of(last, first), List.of(narrow));
      case 3 ->
          List.of(
              List.of(
                  new RowSort.Key(2, RowSort.Form.SHORT, false, -1000, 14),
                  constant,
                  new RowSort.Key(0, RowSort.Form.DOUBLE, false, -1L << 45, 46)));
      case 4 -> List.of(List.of(constant), List.of(constant, first));
      default ->
          List.of(
              List.of(last, constant, first, new RowSort.Key(1, RowSort.Form.INT, true, -1, 9)));
    };
  }

  private void run(RowSort sort, List<RowSort.Key> keys, int returned) {
    long[][] data = data(keys);
    for (int from = 0; from < rows; ) {
      int count = Math.min(rows - from, 1 + random.nextInt(3000));
      new PackedWords(batch(data, from, count)).addTo(sort);
      from += count;
    }
    sort.sort(keys, returned);
    requireSorted(sort, data, keys, returned);
  }

  private long[][] batch(long[][] data, int from, int count) {
    return Arrays.stream(data)
        .map(column -> Arrays.copyOfRange(column, from, from + count))
        .toArray(long[][]::new);
  }

  private long[][] data(List<RowSort.Key> keys) {
    long[][] data = new long[columns][];
    for (int c = 0; c < columns; c++) {
      int column = c;
      RowSort.Key key =
          keys.stream()
              .filter(each -> each.column() == column)
              .findFirst()
              .orElse(new RowSort.Key(c, RowSort.Form.LONG, false, 0, Long.SIZE));
      boolean fractions = c == 1 && keys.stream().noneMatch(each -> each.column() == 1);
      data[c] =
          random
              .longs(rows)
              .map(any -> fractions ? thousandths((int) any) : word(key, any))
              .toArray();
    }
    return data;
  }

  /** Numbers that tie though their bits differ, and others at the ends of the order. */
  private static final double[] SPECIAL = {
    0.0, -0.0, Double.longBitsToDouble(0xFFF8000000000001L), Double.NEGATIVE_INFINITY
  };

  private static long thousandths(int count) {
    return Double.doubleToRawLongBits(count / 1e3);
  }

  /** Returns a word whose number is one that the key allows. */
  private static long word(RowSort.Key key, long any) {
    boolean floating = key.form() == RowSort.Form.FLOAT || key.form() == RowSort.Form.DOUBLE;
    if (floating && key.bits() == Long.SIZE && any % 8 == 0) {
      double special = SPECIAL[(int) (any >>> 3) & 3];
      return key.form() == RowSort.Form.FLOAT
          ? Float.floatToRawIntBits((float) special) & 0xFFFFFFFFL
          : Double.doubleToRawLongBits(special);
    }
    if (key.form() == RowSort.Form.FLOAT) {
      return any & 0xFFFFFFFFL;
    }
    long ordered = key.least() + (key.bits() == 0 ? 0 : any & (-1L >>> (Long.SIZE - key.bits())));
    long number = key.descending() ? ~ordered : ordered;
    return switch (key.form()) {
      case BYTE -> number & 0xFF;
      case SHORT -> number & 0xFFFF;
      case INT -> number & 0xFFFFFFFFL;
      case LONG, FLOAT -> number;
      case DOUBLE -> number < 0 ? number ^ Long.MAX_VALUE : number; // which may be a NaN
    };
  }

  /** Returns the number of a word, or its complement. */
  private static long ordered(RowSort.Key key, long word) {
    long number =
        switch (key.form()) {
          case BYTE -> (byte) word;
          case SHORT -> (short) word;
          case INT -> (int) word;
          case LONG -> word;
          case FLOAT -> number(Float.intBitsToFloat((int) word));
          case DOUBLE -> number(Double.longBitsToDouble(word));
        };
    return key.descending() ? ~number : number;
  }

  private static long number(double value) {
    long bits = Double.doubleToLongBits(value + 0.0); // the sum of zeros of both signs is 0
    return bits < 0 ? Long.MIN_VALUE - bits - 1 : bits;
  }

  private void requireSorted(RowSort sort, long[][] data, List<RowSort.Key> keys, int returned) {
    Integer[] order = IntStream.range(0, rows).boxed().toArray(Integer[]::new);
    Arrays.sort(
        order,
        (a, b) -> {
          int compared = 0;
          for (int k = 0; k < keys.size() && compared == 0; k++) {
            RowSort.Key key = keys.get(k);
            long[] column = data[key.column()];
            compared = Long.compare(ordered(key, column[a]), ordered(key, column[b]));
          }
          return compared;
        });
    for (int c = 0; c < returned; c++) {
      long[] column = data[c];
      assertThat(read(sort, c))
          .as("column %d of %d rows by %s", c, rows, keys)
          .isEqualTo(Arrays.stream(order).mapToLong(i -> column[i]).toArray());
    }
    assertThat(read(sort, columns))
        .as("sort words of %d rows by %s", rows, keys)
        .isEqualTo(Arrays.stream(order).mapToLong(i -> word(data, keys, i)).toArray());
  }

  /** Reads a column in two parts, in either order. */
  private long[] read(RowSort sort, int column) {
    long[] words = new long[rows + 2];
    int part = random.nextInt(rows + 1);
    sort.read(column, part, rows - part, words, 1 + part);
    sort.read(column, 0, part, words, 1);
    assertThat(words[0]).isZero();
    assertThat(words[rows + 1]).isZero();
    return Arrays.copyOfRange(words, 1, rows + 1);
  }

  private static long word(long[][] data, List<RowSort.Key> keys, int row) {
    long word = 0;
    for (RowSort.Key key : keys) {
      long above = ordered(key, data[key.column()][row]) - key.least();
      word = key.bits() == Long.SIZE ? above : word << key.bits() | above;
    }
    return word;
  }
}
