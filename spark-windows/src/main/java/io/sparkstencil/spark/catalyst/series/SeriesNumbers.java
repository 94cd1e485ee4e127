/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.TextOrder;
import io.sparkstencil.spark.catalyst.columns.WordType;
import io.sparkstencil.spark.catalyst.rows.PrefixSort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.stream.IntStream;
import org.apache.spark.unsafe.types.UTF8String;

/** The series of a task, which are numbered in the order in which they were first seen. */
public final class SeriesNumbers {
  private static final int FIRST_CAPACITY = 64;

  /** Bytes from which on those who can number series afresh should. */
  private static final long LARGE_BYTES = 16L << 20;

  private final int[] keys; // the columns
  private final WordType[] types; // null for those that are texts
  private final TextOrder[] orders; // of these
  private final KeyTexts texts; // of the keys, or null
  // Words of a known series: one for each key, bits of nulls; where there are texts, their places.
  private final int stride;
  private long[] known;
  private int[] table = new int[2 * FIRST_CAPACITY]; // number of the series + 1, 0 for none
  private long[] hashes = new long[0];
  private int count;

  /** Creates numbers of no series yet. */
  public SeriesNumbers(SeriesLayout layout) {
    this.keys = layout.keys();
    this.types =
        Arrays.stream(keys).mapToObj(k -> WordType.kept(layout.type(k))).toArray(WordType[]::new);
    this.orders =
        Arrays.stream(keys)
            .mapToObj(k -> layout.isText(k) ? new TextOrder(layout.type(k)) : null)
            .toArray(TextOrder[]::new);
    boolean hasTexts = Arrays.stream(keys).anyMatch(layout::isText);
    this.texts = hasTexts ? new KeyTexts() : null;
    this.stride = keys.length + 1 + (hasTexts ? keys.length : 0);
    this.known = new long[FIRST_CAPACITY * stride];
  }

  /** Adds a key to the hashes of rows; equal keys add the same. */
  static void hash(WordBatch batch, int key, long[] hashes) {
    long[] words = batch.keyWords(key);
    long[] nulls = batch.nulls(key / Long.SIZE);
    int rows = batch.rows();
    for (int i = 0; i < rows; i++) {
      hashes[i] = hashes[i] * 0xC2B2AE3D27D4EB4FL + words[i];
    }
    for (int i = 0; nulls != null && i < rows; i++) {
      hashes[i] -= nulls[i] >>> key & 1;
    }
  }

  /** Spreads a hash over the high bits. */
  static long mixed(long hash) {
    return hash * 0x9E3779B97F4A7C15L;
  }

  /** Returns the number of the series so far. */
  public int count() {
    return count;
  }

  /** Tells whether there is room for the keys of a batch, if none of them are known. */
  boolean hasRoom(WordBatch batch) {
    long bytes = 0;
    for (int k = 0; k < keys.length; k++) {
      bytes += isText(k) ? batch.texts(keys[k]).bytes() : 0;
    }
    return texts == null || texts.hasRoom(bytes);
  }

  /**
   * Tells whether series are better numbered afresh before a batch, by those who account for no
   * memory.
   */
  public boolean isLarge(WordBatch next) {
    return bytes() > LARGE_BYTES || !hasRoom(next);
  }

  /** Writes the number of the series of each row to {@code numbers}. */
  public void number(WordBatch batch, int[] numbers) {
    if (keys.length == 1 && texts == null && batch.nulls(keys[0] / Long.SIZE) == null) {
      numberByOne(batch, numbers);
      return;
    }
    int rows = batch.rows();
    if (hashes.length < rows) {
      hashes = new long[rows];
    }
    Arrays.fill(hashes, 0, rows, 0);
    for (int key : keys) {
      hash(batch, key, hashes);
    }
    int last = -1;
    for (int i = 0; i < rows; i++) {
      if (last < 0 || !isSeries(last, batch, i)) {
        last = find(batch, i, hashes[i]);
      }
      numbers[i] = last;
    }
  }

  /** Does the same for rows with one key that is not null. */
  private void numberByOne(WordBatch batch, int[] numbers) {
    int rows = batch.rows();
    long[] different = batch.numberedWords();
    if (different == null) {
      long[] words = batch.keyWords(keys[0]);
      for (int i = 0; i < rows; i++) {
        numbers[i] = find(words[i]);
      }
      return;
    }
    int[] found = new int[different.length];
    for (int i = 0; i < different.length; i++) {
      found[i] = find(different[i]);
    }
    long[] of = batch.numbers();
    for (int i = 0; i < rows; i++) {
      numbers[i] = found[(int) of[i]];
    }
  }

  /** Returns the number of the series whose one key is a word, and adds it if it is new. */
  private int find(long key) {
    int at = slot(key, table.length);
    int series = table[at] - 1;
    while (series >= 0 && (known[2 * series] != key || known[2 * series + 1] != 0)) {
      at = (at + 1) & (table.length - 1);
      series = table[at] - 1;
    }
    if (series >= 0) {
      return series;
    }
    series = count;
    table[at] = series + 1;
    add(new long[] {key});
    if (2 * count > table.length) {
      rehash();
    }
    return series;
  }

  private boolean isSeries(int series, WordBatch batch, int row) {
    int at = series * stride;
    long nulls = known[at + keys.length];
    for (int k = 0; k < keys.length; k++) {
      if (known[at + k] != batch.keyWords(keys[k])[row]
          || (nulls >>> k & 1) != (batch.isNull(keys[k], row) ? 1 : 0)
          || (isText(k) && !text(series, k).equals(batch.texts(keys[k]).value(row)))) {
        return false;
      }
    }
    return true;
  }

  private boolean isText(int key) {
    return types[key] == null;
  }

  private int find(WordBatch batch, int row, long hash) {
    int at = slot(hash, table.length);
    while (table[at] != 0) {
      if (isSeries(table[at] - 1, batch, row)) {
        return table[at] - 1;
      }
      at = (at + 1) & (table.length - 1);
    }
    table[at] = count + 1;
    add(batch, row);
    if (2 * count > table.length) {
      rehash();
    }
    return count - 1;
  }

  /**
   * Returns the slot of a hash, in a table whose length is a power of 2. The series of a partition
   * have hashes near one another, evenly spaced if their keys are: mixed once, they would still
   * meet in few slots.
   */
  static int slot(long hash, int length) {
    long once = mixed(hash);
    return (int) (mixed(once ^ (once >>> Integer.SIZE)) >>> Integer.SIZE) & (length - 1);
  }

  private void add(WordBatch batch, int row) {
    int at = count * stride;
    if (at == known.length) {
      known = Arrays.copyOf(known, 2 * at);
    }
    for (int k = 0; k < keys.length; k++) {
      known[at + k] = batch.keyWords(keys[k])[row];
      known[at + keys.length] |= batch.isNull(keys[k], row) ? 1L << k : 0;
      if (isText(k)) {
        known[at + keys.length + 1 + k] = texts.add(batch.texts(keys[k]).value(row));
      }
    }
    count++;
  }

  /**
   * Adds a series whose keys are neither null nor texts, and which is none of those before. Where
   * the table does not have it, batches are not numbered any more afterwards.
   */
  void add(long[] words) {
    int at = count * stride;
    if (at == known.length) {
      known = Arrays.copyOf(known, 2 * at);
    }
    System.arraycopy(words, 0, known, at, words.length);
    count++;
  }

  private void rehash() {
    table = new int[2 * table.length];
    for (int series = 0; series < count; series++) {
      long hash = 0;
      for (int k = 0; k < keys.length; k++) {
        hash = hash * 0xC2B2AE3D27D4EB4FL + word(series, k) - (isNull(series, k) ? 1 : 0);
      }
      int at = slot(hash, table.length);
      while (table[at] != 0) {
        at = (at + 1) & (table.length - 1);
      }
      table[at] = series + 1;
    }
  }

  /** Returns the text of a key, the {@code key}th, which is empty for a null. */
  UTF8String text(int series, int key) {
    return texts.text(place(series, key));
  }

  private long place(int series, int key) {
    return known[series * stride + keys.length + 1 + key];
  }

  /**
   * Returns the word of a key, the {@code key}th, the same for all values that are equal; of a
   * text, a hash.
   */
  long word(int series, int key) {
    return known[series * stride + key];
  }

  /**
   * Returns the values of a series' keys: words, the same for all that are equal, texts, and null.
   */
  public List<Object> values(int series) {
    List<Object> values = new ArrayList<>();
    for (int k = 0; k < keys.length; k++) {
      Object value = isText(k) ? text(series, k).copy() : (Object) word(series, k);
      values.add(isNull(series, k) ? null : value);
    }
    return values;
  }

  boolean isNull(int series, int key) {
    return (known[series * stride + keys.length] >>> key & 1) != 0;
  }

  /** Returns about how many bytes this takes. */
  long bytes() {
    return (long) known.length * Long.BYTES
        + (long) table.length * Integer.BYTES
        + (texts == null ? 0 : texts.bytes());
  }

  /** Returns about how many bytes so many series take, whose keys are no texts. */
  static long bytes(SeriesLayout layout, int series) {
    return 2L * series * (layout.keys().length + 1) * Long.BYTES;
  }

  /** Returns the bytes that {@link #sorted} needs in passing. */
  long sortBytes() {
    return (long) count * (4 * Long.BYTES + 2 * Integer.BYTES);
  }

  /** Returns the numbers of the series in the order of their keys, nulls first. */
  int[] sorted() {
    int[] order = IntStream.range(0, count).toArray();
    PrefixSort sort = new PrefixSort(count);
    for (int k = keys.length - 1; k >= 0; k--) {
      sort.clear();
      int nulls = 0;
      int[] next = new int[count];
      for (int series : order) {
        if (isNull(series, k)) {
          next[nulls++] = series;
        } else {
          sort.add(
              isText(k) ? orders[k].prefix(text(series, k)) : types[k].number(word(series, k)),
              series);
        }
      }
      sort.sort(ties(k)); // stable
      for (int i = nulls; i < count; i++) {
        next[i] = (int) sort.value(i - nulls);
      }
      order = next;
    }
    return order;
  }

  /** Returns the order of series that a key's numbers do not tell apart; null if there are none. */
  private LongBinaryOperator ties(int key) {
    return isText(key)
        ? (a, b) -> orders[key].compare(text((int) a, key), text((int) b, key))
        : null;
  }
}
