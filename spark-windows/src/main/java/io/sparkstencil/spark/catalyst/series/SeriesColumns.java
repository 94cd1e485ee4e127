/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.TextMemory;
import io.sparkstencil.spark.catalyst.columns.TextOrder;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowPages;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.shuffle.BatchedRows;
import io.sparkstencil.spark.catalyst.shuffle.PackedColumns;
import java.util.Arrays;
import java.util.BitSet;
import java.util.PrimitiveIterator;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/**
 * The rows of a task as columns, series by series. Keys are kept once for each series. A series
 * whose rows came in order is read as it lies, others are sorted when it is their turn; rows that
 * tie stay as they came. Series are in the order of their keys.
 */
public final class SeriesColumns implements OrderedSeries, UnitOrder.Collected {
  private final SeriesLayout layout;
  private final RowPages pages;
  private final long mostBytes;
  private final SeriesNumbers numbers;
  private final SeriesStore store;
  private final TextStore texts;
  private final int[] columns; // that the store has
  private final int[] columnOf; // for each field, which of these it is, or less than 0 for a key
  private final int[] keyOf; // for each field, which key it is
  private final WordBatch batch;
  private final TextOrder firstTexts; // by which rows are ordered first; null if they are not
  private final long[][] words; // of these columns, of the batch
  private int[] numbersOf = new int[0]; // series of the rows of the batch
  private long[] keys = new long[0]; // by which these are ordered
  private long keyBytes; // accounted for

  private long[][] keyPlaces; // for each key that is a text, and each series, where it lies
  private int[] inOrder; // series, once all rows are there
  private SeriesSort sort;
  private final BitSet sorted = new BitSet(); // series that did not come in order
  private long sortNanos;
  private boolean adopted; // in order
  private long deviceRows;
  private long hostRows;
  private int deviceFailures;
  private int next; // series in inOrder
  private int current; // series
  private SeriesReader reader; // of it

  /**
   * Creates an empty collection.
   *
   * @param mostBytes bytes that all rows of the task may take together
   */
  public SeriesColumns(SeriesLayout layout, RowPages pages, long mostBytes) {
    this.layout = layout;
    this.pages = pages;
    this.mostBytes = mostBytes;
    this.numbers = new SeriesNumbers(layout);
    this.columns = layout.others();
    this.columnOf = layout.placesIn(columns);
    this.keyOf = layout.placesIn(layout.keys());
    long[] orderNulls = new long[layout.nullWords()];
    layout.order().forEach(key -> orderNulls[key.field() / Long.SIZE] |= 1L << key.field());
    this.store = new SeriesStore(pages, mostBytes, columns.length, orderNulls);
    this.texts = new TextStore(store);
    this.batch = new WordBatch(layout);
    boolean byTexts = !layout.order().isEmpty() && layout.order().get(0).isOfTexts();
    this.firstTexts = byTexts ? new TextOrder(layout.order().get(0).texts()) : null;
    this.words = new long[columns.length][];
  }

  /**
   * Adds rows in the batches in which they were shuffled.
   *
   * @return null if all rows are there, else batches of those that found no memory
   */
  public Iterator<InternalRow> addAll(Iterator<InternalRow> batches) {
    while (batches.hasNext()) {
      UnsafeRow shuffled = (UnsafeRow) batches.next();
      batch.read(shuffled);
      int added = addBatch();
      if (added < PackedColumns.rows(shuffled)) {
        InternalRow rest = BatchedRows.from(added, shuffled, layout.rows());
        return ScalaInterop.<InternalRow>seqOf(rest).iterator().concat(() -> batches);
      }
    }
    return finish(Long.MAX_VALUE) ? null : ScalaInterop.noElements();
  }

  /**
   * Adds rows, each of which is there until the one after it is asked for.
   *
   * @return null if all rows are there, else batches of those that found no memory
   */
  public Iterator<InternalRow> addRows(Iterator<InternalRow> rows) {
    while (rows.hasNext()) {
      batch.read(rows);
      int added = addBatch();
      if (added < batch.rows()) {
        return ColumnShuffle.batches(batch.rowsFrom(added).concat(() -> rows), layout);
      }
    }
    return finish(Long.MAX_VALUE) ? null : ScalaInterop.noElements();
  }

  /**
   * Takes all rows, in order; false, and none is taken, if there is no memory.
   *
   * @param kept where they came from, whose memory is given back or taken
   * @param onDevice whether a device has put them in order
   * @param start when that began, by the clock of {@link System#nanoTime}
   */
  boolean adopt(TaskOrder order, KeptBatches kept, boolean onDevice, long start) {
    try {
      adopted = order.moveTo(store, numbers);
    } finally {
      sortNanos += System.nanoTime() - start;
      if (!adopted) {
        store.clear(); // others are going to need the memory
      }
    }
    if (adopted) {
      kept.release(store);
      deviceRows = onDevice ? order.rows() : 0;
      hostRows = onDevice ? 0 : order.rows();
    }
    return adopted;
  }

  /** Counts a failure of the device. */
  void deviceFailed() {
    deviceFailures++;
  }

  /** Returns how often the device has failed to put rows in order. */
  public int deviceFailures() {
    return deviceFailures;
  }

  /** Returns how many rows a device has put in order. */
  public long deviceRows() {
    return deviceRows;
  }

  /** Returns how many rows the host has put in order all together, and not series by series. */
  public long hostRows() {
    return hostRows;
  }

  /**
   * Adds the rows of a scan.
   *
   * @return how many of them found memory, which are the first
   */
  public int add(ColumnarBatch scanned) {
    batch.read(scanned);
    return addBatch();
  }

  private int addBatch() {
    int rows = batch.rows();
    if (keys.length < rows) {
      keys = new long[rows];
      numbersOf = new int[rows];
    }
    if (!numbers.hasRoom(batch)) {
      return 0;
    }
    boolean one = numbers.count() == 1 && layout.keys().length == 0; // numbered, and alone
    if (!one) {
      numbers.number(batch, numbersOf);
    }
    long more = numbers.bytes() - keyBytes;
    if (more > 0) {
      if (!store.reserve(more)) {
        return 0;
      }
      keyBytes += more;
    }
    for (int c = 0; c < columns.length; c++) {
      words[c] = batch.values(columns[c]);
      if (layout.isText(columns[c]) && !texts.add(batch.texts(columns[c]), words[c], rows)) {
        return 0;
      }
    }
    boolean ties = layout.order().size() > 1 || layout.breaksTies() || firstTexts != null;
    return one && !batch.hasNulls()
        ? store.appendAll(words, rows, orderKeys(rows), ties)
        : store.append(batch, words, numbersOf, orderKeys(rows), ties);
  }

  /** Returns the numbers of the batch by which its rows are ordered first. */
  private long[] orderKeys(int rows) {
    if (layout.order().isEmpty()) {
      return keys;
    }
    OrderKey first = layout.order().get(0);
    long[] values = batch.values(first.field());
    if (first.isNumber()) {
      return values;
    } else if (firstTexts == null) {
      first.read(values, rows, keys);
      return keys;
    }
    for (int i = 0; i < rows; i++) {
      long prefix = firstTexts.prefix(texts.text(values[i]));
      keys[i] = first.descending() ? ~prefix : prefix;
    }
    return keys;
  }

  /** Says that all rows are there, in no order, and that they may come in none. */
  public void finishUnsorted() {
    store.settle();
    inOrder = IntStream.range(0, numbers.count()).toArray();
  }

  /** Tells whether Spark has refused memory that the limit would have allowed. */
  public boolean isRefused() {
    return store.isRefused();
  }

  /**
   * Says that all rows are there; false if there is no memory to sort them.
   *
   * @param most bytes that the rows and sorting may take together
   */
  public boolean finish(long most) {
    store.settle();
    store.allow(most);
    long longest = 0;
    for (int series = 0; series < store.count(); series++) {
      if (store.isUnsorted(series)) {
        longest = Math.max(longest, store.rows(series));
        if (!store.spreadNulls(series)) {
          return false;
        }
      }
    }
    long needed = longest * SeriesSort.rowBytes(layout) + numbers.sortBytes();
    if (longest > Integer.MAX_VALUE - 8 || !store.reserve(needed) || !placeKeys()) {
      return false;
    }
    inOrder = adopted ? IntStream.range(0, numbers.count()).toArray() : numbers.sorted();
    if (longest > 0) {
      sort = new SeriesSort(store, layout, texts, columnOf, columns.length, (int) longest);
    }
    return true;
  }

  /** Puts the texts of keys where all texts are; false if there is no memory. */
  private boolean placeKeys() {
    int[] keyFields = layout.keys();
    keyPlaces = new long[keyFields.length][];
    for (int k = 0; k < keyFields.length; k++) {
      if (!layout.isText(keyFields[k])) {
        continue;
      }
      if (!store.reserve((long) numbers.count() * Long.BYTES)) {
        return false;
      }
      keyPlaces[k] = new long[numbers.count()];
      for (int series = 0; series < numbers.count(); series++) {
        long place = texts.addOne(numbers.text(series, k));
        if (place == -1) {
          return false;
        }
        keyPlaces[k][series] = place;
      }
    }
    return true;
  }

  /** Returns where the columns of rows lie. */
  public SeriesLayout layout() {
    return layout;
  }

  /** Returns the memory that rows are kept in. */
  public RowPages pages() {
    return pages;
  }

  /** Returns the bytes that all rows of the task may take together. */
  long mostBytes() {
    return mostBytes;
  }

  /** Returns the number of the rows so far. */
  public long rows() {
    return IntStream.range(0, store.count()).mapToLong(store::rows).sum();
  }

  @Override
  public boolean nextSeries() {
    do {
      if (next == inOrder.length) {
        return false;
      }
      current = inOrder[next++];
    } while (store.first(current) < 0); // no row of it found memory: the sorter has all
    sort(current);
    reader = new SeriesReader(layout, store, numbers, columnOf, keyOf, keyPlaces, current);
    return true;
  }

  /** Puts a series in order, unless it is. */
  private void sort(int number) {
    if (sort != null && store.isUnsorted(number) && !sorted.get(number)) {
      long start = System.nanoTime();
      sort.sort(number);
      sorted.set(number);
      sortNanos += System.nanoTime() - start;
    }
  }

  /** Returns the words of a column, which is no key, of all rows of the series. */
  public long[] words(int field) {
    long[] read = new long[Math.toIntExact(store.rows(current))];
    SeriesSort.copy(store, current, columnOf[field], false, read);
    return read;
  }

  @Override
  public SeriesReader reader() {
    return reader;
  }

  /** Returns the memory of texts, until {@link #release}. */
  @Override
  public TextMemory texts() {
    return texts;
  }

  /** Tells whether rows have texts. */
  public boolean hasTexts() {
    return layout.hasTexts();
  }

  /** Returns the nanoseconds that sorting has taken so far. */
  public long sortNanos() {
    return sortNanos;
  }

  @Override
  public void forEach(Consumer<UnsafeRow> consumer) {
    store.settle();
    asRows().forEach(consumer);
  }

  /** Returns all rows in order, once all are there. Memory is given back after the last. */
  public RowSource inOrder() {
    return asRows().of(() -> nextSeries() ? current : -1, this::release);
  }

  /**
   * Returns all rows in order for who reads them beside the columns, which have to be there until
   * the last has been read.
   */
  public RowSource beside() {
    PrimitiveIterator.OfInt all = Arrays.stream(inOrder).iterator();
    IntSupplier following =
        () -> {
          while (all.hasNext()) {
            int number = all.nextInt();
            if (store.first(number) >= 0) {
              sort(number);
              return number;
            }
          }
          return -1;
        };
    return asRows().of(following, () -> {});
  }

  private CollectedRows asRows() {
    return new CollectedRows(layout, store, numbers, texts, columnOf, keyOf);
  }

  @Override
  public void release() {
    store.release();
    sort = null;
  }
}
