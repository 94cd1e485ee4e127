/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowPages;
import io.sparkstencil.spark.catalyst.shuffle.PackedBytes;
import io.sparkstencil.spark.catalyst.shuffle.PackedColumns;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.memory.MemoryBlock;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * Batches that wait as they were shuffled until all of a task are there, but with texts as they are
 * and without numbers of words. Before a batch with texts are the places of these, as a {@link
 * TextStore} has them that gets the memory: for each column of texts, a word for each row.
 */
final class KeptBatches implements Iterable<KeptBatches.Batch> {
  private static final long LEAST_PAGE_BYTES = 1L << 18;
  private static final long MOST_PAGE_BYTES = 1L << 23;

  /** The pages of all batches before are so many times as large as the next one. */
  private static final int PAGES_SHARE = 8;

  /** The page of a store that gets the first here; before it is one with the words of all rows. */
  private static final int FIRST_PAGE = 1;

  private final RowPages pages;
  private final long mostBytes;
  private final Deque<Page> kept = new ArrayDeque<>();
  private UnsafeRow refused; // found no room; null if there is none such
  private final long[] nulls;
  private final int words; // of a row
  private final int[] textWords; // of these, those that are texts' numbers of bytes
  private final long[] textBytes; // for each of these, the bytes of a batch
  private final long[][] textLengths; // and those of each row, or places once texts are put
  private final PackedBytes.Reader reader = new PackedBytes.Reader(); // of texts
  private final NumberRanges ranges;
  private long bytes;
  private long rows;

  /** A batch as it was shuffled, but with texts as they are and without numbers of words. */
  static final class Batch {
    private final UnsafeRow shuffled;
    private final int placeWords;
    private final long[] columns; // where each begins, and where the last ends

    private Batch(UnsafeRow shuffled, int placeWords, long[] columns) {
      this.shuffled = shuffled;
      this.placeWords = placeWords;
      this.columns = columns;
    }

    UnsafeRow shuffled() {
      return shuffled;
    }

    /** Returns how many words before it are places of texts. */
    int placeWords() {
      return placeWords;
    }

    /** Returns where the places of texts begin. */
    long begin() {
      return shuffled.getBaseOffset() - (long) placeWords * Long.BYTES;
    }

    /** Returns where a column begins. */
    long column(int word) {
      return columns[word];
    }

    /** Returns how many words there are from the places to the last column. */
    long words() {
      return (columns[columns.length - 1] - begin()) / Long.BYTES;
    }
  }

  /** A page, and the batches in it. */
  private static final class Page {
    private final MemoryBlock memory;
    private final int number;
    private final List<Batch> batches = new ArrayList<>();
    private long used;

    private Page(MemoryBlock memory, int number) {
      this.memory = memory;
      this.number = number;
    }
  }

  /**
   * Creates an empty store.
   *
   * @param mostBytes bytes that the batches may take together
   */
  KeptBatches(SeriesLayout layout, RowPages pages, long mostBytes) {
    this.pages = pages;
    this.mostBytes = mostBytes;
    this.nulls = new long[layout.nullWords()];
    this.words = layout.rows().words();
    this.textWords = IntStream.of(layout.texts()).map(field -> nulls.length + field).toArray();
    this.textBytes = new long[textWords.length];
    this.textLengths = new long[textWords.length][];
    this.ranges = new NumberRanges(layout);
  }

  /** Returns where each column of a batch begins, and where the last ends. */
  private static long[] columns(UnsafeRow batch, int words) {
    long[] columns = new long[words + 1];
    columns[0] = batch.getBaseOffset() + PackedColumns.HEADER_BYTES;
    for (int word = 0; word < words; word++) {
      columns[word + 1] = PackedColumns.next(batch, columns[word]);
    }
    return columns;
  }

  /**
   * Keeps copies of all batches; false once one finds no room, or has a text that is too long for a
   * place, or it turns out that the host need not sort the rows.
   *
   * @param onDevice whether a device may sort them
   */
  boolean addAll(Iterator<InternalRow> shuffled, boolean onDevice) {
    while (onDevice || ranges.mayBeScattered(rows)) {
      if (!shuffled.hasNext()) {
        return true;
      }
      UnsafeRow batch = (UnsafeRow) shuffled.next();
      if (!add(batch)) {
        refused = batch;
        return false;
      }
    }
    return false;
  }

  private boolean add(UnsafeRow batch) {
    int inBatch = PackedColumns.rows(batch);
    long[] columns = columns(batch, words);
    long ofColumns = PackedColumns.HEADER_BYTES;
    for (int word = 0; word < words; word++) {
      ofColumns += PackedColumns.plainBytes(batch, columns[word]);
    }
    int placeWords = inBatch * textWords.length;
    long ofTexts = measureTexts(batch, columns);
    long needed = (long) placeWords * Long.BYTES + ofColumns + ofTexts;
    Page page = ofTexts < 0 || needed > Integer.MAX_VALUE ? null : pageFor(needed);
    if (page == null) {
      return false;
    }
    Object base = page.memory.getBaseObject();
    long at = page.memory.getBaseOffset() + page.used + (long) placeWords * Long.BYTES;
    UnsafeRow copy = new UnsafeRow(0);
    copy.pointTo(base, at, (int) (ofColumns + ofTexts));
    Batch added = new Batch(copy, placeWords, copyColumns(batch, columns, base, at));
    putTexts(page, added, batch, columns);
    page.batches.add(added);
    page.used += needed;
    rows += inBatch;
    for (int word = 0; word < nulls.length; word++) {
      nulls[word] |= union(batch, columns[word]);
    }
    ranges.extend(batch, columns);
    return true;
  }

  /** Copies the columns of a batch as sorts take them, and returns where they begin. */
  private long[] copyColumns(UnsafeRow batch, long[] columns, Object base, long at) {
    long header = PackedColumns.HEADER_BYTES;
    Platform.copyMemory(batch.getBaseObject(), batch.getBaseOffset(), base, at, header);
    long[] copies = new long[words + 1];
    copies[0] = at + header;
    for (int word = 0; word < words; word++) {
      copies[word + 1] = PackedColumns.copyPlain(batch, columns[word], base, copies[word]);
    }
    return copies;
  }

  /** Returns the bytes that the texts of a batch take as they are, or -1 if one is too long. */
  private long measureTexts(UnsafeRow batch, long[] columns) {
    int inBatch = PackedColumns.rows(batch);
    long all = 0;
    for (int t = 0; t < textWords.length; t++) {
      long[] lengths = new long[inBatch];
      PackedColumns.read(batch, columns[textWords[t]], lengths, 0, 1, inBatch);
      textBytes[t] = 0;
      for (long length : lengths) {
        if (length > TextStore.MOST_BYTES) {
          return -1;
        }
        textBytes[t] += length;
      }
      textLengths[t] = lengths;
      all += PackedBytes.plainBytes(textBytes[t]);
    }
    return all;
  }

  /** Puts texts behind the columns of a batch, and their places before it. */
  private void putTexts(Page page, Batch to, UnsafeRow batch, long[] columns) {
    Object base = page.memory.getBaseObject();
    long from = columns[words];
    long place = to.begin();
    long at = to.column(words);
    for (int t = 0; t < textWords.length; t++) {
      long[] places = textLengths[t]; // as soon as they are made of these
      long text = PackedBytes.writePlainHeader(base, at, textBytes[t]);
      reader.read(batch.getBaseObject(), from, textBytes[t], places, places.length, base, text);
      from = PackedBytes.next(batch.getBaseObject(), from);
      at = PackedBytes.next(base, at);
      long offset = text - page.memory.getBaseOffset();
      TextStore.toPlaces(places, places.length, FIRST_PAGE + page.number, offset);
      long ofPlaces = (long) places.length * Long.BYTES;
      Platform.copyMemory(places, Platform.LONG_ARRAY_OFFSET, base, place, ofPlaces);
      place += ofPlaces;
    }
  }

  /** Returns a page that has room, or null if there is no memory for one. */
  private Page pageFor(long needed) {
    Page last = kept.peekLast();
    if (last != null && last.used + needed <= last.memory.size()) {
      return last;
    }
    long usual = Math.max(LEAST_PAGE_BYTES, Math.min(MOST_PAGE_BYTES, bytes / PAGES_SHARE));
    // Of few sizes, as Spark keeps freed pages for the next that are as large.
    long wanted = Math.max(Long.highestOneBit(usual), needed);
    MemoryBlock memory = bytes + wanted > mostBytes ? null : pages.tryTake(wanted);
    if (memory == null) {
      return null;
    }
    Page page = new Page(memory, kept.size());
    kept.add(page);
    bytes += memory.size();
    return page;
  }

  /** Returns how many rows the batches have. */
  long rows() {
    return rows;
  }

  /** Returns the ranges of what rows are ordered by. */
  NumberRanges ranges() {
    return ranges;
  }

  /** Returns the bits that some word of a column has. */
  private static long union(UnsafeRow batch, long column) {
    long union = 0;
    if (!PackedColumns.isZeros(batch, column)) {
      long[] words = new long[PackedColumns.rows(batch)];
      PackedColumns.read(batch, column, words, 0, 1, words.length);
      for (long word : words) {
        union |= word;
      }
    }
    return union;
  }

  /** Returns for each word of null bits those that a row has; not to be changed. */
  long[] nulls() {
    return nulls;
  }

  @Override
  public java.util.Iterator<Batch> iterator() {
    return kept.stream().flatMap(page -> page.batches.stream()).iterator();
  }

  /**
   * Returns the batches, then the one that found no room, then others. Each is there until the
   * next; memory is given back on the way, that of the last page when the task ends.
   */
  Iterator<InternalRow> drained(Iterator<InternalRow> others) {
    Iterator<InternalRow> last =
        refused == null
            ? ScalaInterop.noElements()
            : ScalaInterop.<InternalRow>seqOf(refused).iterator();
    return new Drained().concat(() -> last).concat(() -> others);
  }

  private final class Drained extends AbstractIterator<InternalRow> {
    private int next; // of the first page

    @Override
    public boolean hasNext() {
      return kept.size() > 1 || (!kept.isEmpty() && next < kept.peek().batches.size());
    }

    @Override
    public InternalRow next() {
      if (next == kept.element().batches.size()) {
        pages.giveBack(kept.remove().memory);
        next = 0;
      }
      return kept.element().batches.get(next++).shuffled();
    }
  }

  /** Gives all memory back, or to a store if it has texts, whose places are there then. */
  void release(SeriesStore store) {
    for (Page page : kept) {
      if (textWords.length > 0) {
        store.addPage(page.memory);
      } else {
        pages.giveBack(page.memory);
      }
    }
    kept.clear();
  }
}
