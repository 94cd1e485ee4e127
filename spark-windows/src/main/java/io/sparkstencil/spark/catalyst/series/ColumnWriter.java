/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.shuffle.ColumnCodes;
import io.sparkstencil.spark.catalyst.shuffle.OpenRows;
import io.sparkstencil.spark.catalyst.shuffle.PackedColumns;
import io.sparkstencil.spark.catalyst.shuffle.PackedTexts;
import java.util.NoSuchElementException;
import java.util.function.BiConsumer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.util.MutablePair;
import scala.Product2;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Batches as batches for partitions, one for each partition open at a time. For each row its place
 * is found, then one column after the other goes to these places.
 *
 * @param <T> a batch that is read
 */
final class ColumnWriter<T> extends AbstractIterator<Product2<Object, InternalRow>> {
  /** Bytes of all open batches together: few enough to stay in the cache. */
  private static final int OPEN_BYTES = 2 << 20;

  private static final int MOST_BATCH_BYTES = 1 << 15;
  private static final int LEAST_BATCH_BYTES = 1 << 12;
  private static final int FIRST_ROWS = 16;

  private final Iterator<T> input;
  private final BiConsumer<WordBatch, T> reader;
  private final ColumnRouter router;
  private final int partitions;
  private final boolean copied;
  private final int mostRows; // of a batch
  private final int nullWords;
  private final WordBatch batch;
  private final OpenTexts texts; // or null
  private final ColumnCodes codes;
  private final long[][] open; // for each word of a row, `capacity` rows for each partition
  private final int[] counts; // rows of each partition
  private final Integer[] boxed;
  private final MutablePair<Object, InternalRow> pair = new MutablePair<>();
  private final UnsafeRow written = new UnsafeRow(0);
  private int capacity; // rows of a partition
  private int[] targets = new int[0]; // partitions of the rows of the batch
  private int[] places = new int[0]; // where these go
  private int at; // rows of the batch that have gone there
  private byte[] bytes = new byte[0];
  private boolean ready; // whether `pair` waits to be taken
  private boolean finished; // whether all batches have been read
  private int flushed; // partitions that have been emptied since

  /**
   * Creates the batches.
   *
   * @param reader reads a batch of the input
   * @param copied whether each batch must have memory of its own
   */
  ColumnWriter(
      Iterator<T> input,
      BiConsumer<WordBatch, T> reader,
      ColumnRouter router,
      SeriesLayout layout,
      int partitions,
      boolean copied) {
    this.input = input;
    this.reader = reader;
    this.router = router;
    this.partitions = partitions;
    this.copied = copied;
    this.nullWords = layout.nullWords();
    this.batch = new WordBatch(layout);
    int words = layout.rows().words();
    int each = Math.max(LEAST_BATCH_BYTES, Math.min(MOST_BATCH_BYTES, OPEN_BYTES / partitions));
    int rows = Math.min(each / Long.BYTES / words, (Integer.MAX_VALUE - Long.BYTES) / partitions);
    this.mostRows = Math.max(1, rows);
    this.capacity = Math.min(mostRows, FIRST_ROWS);
    this.codes = layout.rows().codes();
    this.texts =
        layout.texts().length == 0 ? null : new OpenTexts(batch, layout, codes, partitions, each);
    this.open = new long[words][];
    for (int word = nullWords; word < words; word++) {
      open[word] = new long[partitions * capacity];
    }
    this.counts = new int[partitions];
    this.boxed = new Integer[partitions];
    for (int i = 0; i < partitions; i++) {
      boxed[i] = i;
    }
  }

  @Override
  public boolean hasNext() {
    while (!ready && !finished) {
      if (at < batch.rows()) {
        fill();
      } else if (input.hasNext()) {
        read(input.next());
      } else {
        finished = true;
      }
    }
    while (!ready && finished && flushed < partitions) {
      if (counts[flushed] > 0) {
        write(flushed);
      }
      flushed++;
      if (flushed == partitions) {
        router.finish();
      }
    }
    return ready;
  }

  private void read(T next) {
    reader.accept(batch, next);
    at = 0;
    int rows = batch.rows();
    if (targets.length < rows) {
      targets = new int[rows];
      places = new int[rows];
    }
    router.route(batch, targets);
    if (texts != null) {
      texts.begin();
    }
    for (int word = 0; word < nullWords; word++) {
      if (batch.nulls(word) != null && open[word] == null) {
        open[word] = new long[partitions * capacity]; // no row had a null so far
      }
    }
  }

  /** Puts rows to their places until the batch ends or a partition is full. */
  private void fill() {
    int from = at;
    int rows = batch.rows();
    int full = -1; // a partition
    boolean fullOfTexts = false;
    int row = from; // a field would be written for each of them
    while (row < rows) {
      int target = targets[row];
      int count = counts[target];
      if (count == capacity) {
        full = target;
        break;
      }
      places[row++] = target * capacity + count;
      counts[target] = count + 1;
      if (texts != null && texts.count(row - 1, target)) {
        full = target;
        fullOfTexts = true;
        break;
      }
    }
    at = row;
    for (int word = 0; word < open.length; word++) {
      if (open[word] != null) {
        long[] words = word < nullWords ? batch.nulls(word) : batch.values(word - nullWords);
        scatter(words, open[word], from);
      }
    }
    if (texts != null) {
      texts.add(targets, from, row);
    }
    if (full >= 0 && !fullOfTexts && capacity < mostRows) {
      grow();
    } else if (full >= 0) {
      write(full);
    }
  }

  private void scatter(long[] words, long[] to, int from) {
    int until = at;
    int[] rows = places;
    if (words == null) {
      for (int i = from; i < until; i++) {
        to[rows[i]] = 0;
      }
      return;
    }
    for (int i = from; i < until; i++) {
      to[rows[i]] = words[i];
    }
  }

  private void grow() {
    int larger = Math.min(mostRows, 4 * capacity);
    for (int word = 0; word < open.length; word++) {
      if (open[word] != null) {
        long[] moved = new long[partitions * larger];
        for (int i = 0; i < partitions; i++) {
          System.arraycopy(open[word], i * capacity, moved, i * larger, counts[i]);
        }
        open[word] = moved;
      }
    }
    capacity = larger;
  }

  private void write(int partition) {
    int rows = counts[partition];
    int most =
        texts == null
            ? PackedColumns.mostBytes(open.length, open.length * rows)
            : PackedTexts.mostBytes(open.length, rows, texts.columns(), texts.bytes(partition));
    if (copied || bytes.length < most) {
      bytes = new byte[most];
    }
    int first = partition * capacity;
    router.writes(partition, new OpenWords(partition, first, rows));
    long to = PackedColumns.writeRows(bytes, rows);
    for (int word = 0; word < open.length; word++) {
      to = codes.write(word, open[word], first, first + rows, bytes, to);
    }
    if (texts != null) {
      to = texts.write(partition, open, first, first + rows, bytes, to);
    }
    counts[partition] = 0;
    UnsafeRow target = copied ? new UnsafeRow(0) : written;
    target.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, (int) (to - Platform.BYTE_ARRAY_OFFSET));
    pair._1 = boxed[partition];
    pair._2 = target;
    ready = true;
  }

  @Override
  public Product2<Object, InternalRow> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ready = false;
    return pair;
  }

  /** Rows that are about to be written. */
  private final class OpenWords implements OpenRows {
    private final int partition;
    private final int first;
    private final int rows;
    private long[] copy; // of the words of a row, once one was asked for
    private OpenTexts.Rows withTexts; // the same, where there are texts

    OpenWords(int partition, int first, int rows) {
      this.partition = partition;
      this.first = first;
      this.rows = rows;
    }

    @Override
    public int rows() {
      return rows;
    }

    @Override
    public long word(int word, int row) {
      return open[word] == null ? 0 : open[word][first + row];
    }

    @Override
    public void point(UnsafeRow target, int row) {
      copy = copy == null ? new long[open.length] : copy;
      for (int word = 0; word < copy.length; word++) {
        copy[word] = word(word, row);
      }
      if (texts == null) {
        target.pointTo(copy, Platform.LONG_ARRAY_OFFSET, copy.length * Long.BYTES);
        return;
      }
      withTexts = withTexts == null ? texts.rows(partition, open, first, rows) : withTexts;
      UnsafeRow made = withTexts.row(copy, row);
      target.pointTo(made.getBaseObject(), made.getBaseOffset(), made.getSizeInBytes());
    }
  }
}
