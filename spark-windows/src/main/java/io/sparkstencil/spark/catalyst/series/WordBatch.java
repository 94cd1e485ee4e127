/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.spark.catalyst.columns.ColumnValues;
import io.sparkstencil.spark.catalyst.columns.WordType;
import io.sparkstencil.spark.catalyst.shuffle.PackedColumns;
import io.sparkstencil.spark.catalyst.shuffle.TextRow;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/** The words of some rows by column, read from what is shuffled or from a scan. */
public final class WordBatch {
  private static final int NONE = -1;

  /** Rows that are read as one batch, few enough to stay in the cache. */
  private static final int MOST_ROWS = 1 << 10;

  /** Bytes of rows from which on the rows that follow have to wait. */
  private static final int MOST_BYTES = 1 << 20;

  private final SeriesLayout layout;
  private final int nullWords;
  private final long[][] memory;
  private final long[][] columns; // words of null bits are null if no row has nulls there
  private final long[][] normalized; // for each key that is a floating-point number or a text
  private final TextColumn[] texts; // for each column that has some
  private final int onlyKeyWord; // of a row, or none
  private final int mostRows; // that are read as one batch
  private long[]
      numbered; // words of the only key whose numbers its column has; null if it has them
  private int rows;

  /** Creates a batch without rows. */
  public WordBatch(SeriesLayout layout) {
    this.layout = layout;
    this.nullWords = layout.nullWords();
    this.memory = new long[layout.rows().words()][0];
    this.columns = new long[layout.rows().words()][];
    this.normalized = new long[layout.fields()][];
    this.texts = new TextColumn[layout.fields()];
    int[] keys = layout.keys();
    int rowBytes = Math.max(1, columns.length) * Long.BYTES;
    this.mostRows = Math.min(MOST_ROWS, MOST_BYTES / rowBytes + 1); // wide rows need few
    this.onlyKeyWord = keys.length == 1 && !layout.isText(keys[0]) ? nullWords + keys[0] : NONE;
    for (int field : layout.texts()) {
      texts[field] = new TextColumn();
    }
  }

  public int rows() {
    return rows;
  }

  /** Returns the words of a column; those of texts are their numbers of bytes. */
  public long[] values(int field) {
    long[] values = columns[nullWords + field];
    if (nullWords + field == onlyKeyWord && numbered != null) {
      for (int i = 0; i < rows; i++) {
        values[i] = numbered[(int) values[i]];
      }
      numbered = null;
    }
    return values;
  }

  /**
   * Returns the different words of the only key if {@link #numbers} has their numbers, null if
   * there are other keys, or words as they are.
   */
  long[] numberedWords() {
    return numbered;
  }

  /** Returns the number of the only key's word for each row, until words are asked for. */
  long[] numbers() {
    return columns[onlyKeyWord];
  }

  /** Returns the words of a key, the same for all values that are equal; of texts, hashes. */
  long[] keyWords(int field) {
    long[] made = normalized[field];
    return made == null ? values(field) : made;
  }

  /** Returns the texts of a column. */
  TextColumn texts(int field) {
    return texts[field];
  }

  /** Returns words of null bits, or null if all are 0. */
  public long[] nulls(int word) {
    return columns[word];
  }

  boolean hasNulls() {
    for (int word = 0; word < nullWords; word++) {
      if (columns[word] != null) {
        return true;
      }
    }
    return false;
  }

  /** Tells whether a column is null in a row. */
  public boolean isNull(int field, int row) {
    long[] nulls = columns[field / Long.SIZE];
    return nulls != null && (nulls[row] >>> field & 1) != 0;
  }

  /** Reads a batch as it was shuffled. */
  public void read(UnsafeRow batch) {
    rows = PackedColumns.rows(batch);
    long at = batch.getBaseOffset() + PackedColumns.HEADER_BYTES;
    numbered = null;
    for (int word = 0; word < columns.length; word++) {
      if (word < nullWords && PackedColumns.isZeros(batch, at)) {
        columns[word] = null;
      } else if (word == onlyKeyWord && PackedColumns.numbered(batch, at) > 0) {
        columns[word] = room(word);
        numbered = PackedColumns.numberedWords(batch, at);
        PackedColumns.readNumbers(batch, at, columns[word], 0, 1, rows);
      } else {
        columns[word] = room(word);
        PackedColumns.read(batch, at, columns[word], 0, 1, rows);
      }
      at = PackedColumns.next(batch, at);
    }
    for (int field : layout.texts()) {
      at = texts[field].read(batch.getBaseObject(), at, values(field), rows);
    }
    normalize();
  }

  /** Makes texts that were shuffled known by their rows. */
  void locateTexts() {
    for (int field : layout.texts()) {
      texts[field].locate(rows);
    }
  }

  private void normalize() {
    for (int field : layout.keys()) {
      WordType type = layout.word(field);
      if (texts[field] != null) {
        texts[field].locate(rows);
        normalized[field] = texts[field].hashes(rows);
      } else if (type.isFloating()) {
        long[] words = values(field);
        long[] made = new long[rows];
        for (int i = 0; i < rows; i++) {
          made[i] = type.normalized(words[i]);
        }
        normalized[field] = made;
      }
    }
  }

  private long[] room(int word) {
    if (memory[word].length < rows) {
      memory[word] = new long[rows];
    }
    return memory[word];
  }

  /** Reads a batch of a scan. */
  void read(ColumnarBatch batch) {
    rows = batch.numRows();
    numbered = null;
    Arrays.fill(columns, 0, nullWords, null);
    for (int field = 0; field < layout.fields(); field++) {
      ColumnVector vector = batch.column(field);
      long[] words = words(vector, field);
      columns[nullWords + field] = words;
      if (ColumnValues.mayHaveNulls(vector)) {
        addNulls(vector, field, words);
      }
    }
    normalize();
  }

  /** Reads the next rows, each of which is there until the one after it is asked for. */
  void read(Iterator<InternalRow> binaryRows) {
    rows = mostRows;
    numbered = null;
    Arrays.fill(columns, 0, nullWords, null);
    for (int field = 0; field < layout.fields(); field++) {
      int word = nullWords + field;
      columns[word] = texts[field] == null ? room(word) : texts[field].begin(mostRows);
    }
    int count = 0;
    long bytes = 0;
    while (count < mostRows && bytes < MOST_BYTES && binaryRows.hasNext()) {
      UnsafeRow row = (UnsafeRow) binaryRows.next();
      readWords(row, count, readNulls(row, count));
      bytes += row.getSizeInBytes();
      count++;
    }
    rows = count;
    normalize();
  }

  /** Reads the null bits of a row, and tells whether there are any. */
  private boolean readNulls(UnsafeRow row, int index) {
    long all = 0;
    for (int word = 0; word < nullWords; word++) {
      long bits =
          Platform.getLong(row.getBaseObject(), row.getBaseOffset() + (long) word * Long.BYTES);
      if (bits != 0 && columns[word] == null) {
        columns[word] = room(word);
        Arrays.fill(columns[word], 0, index, 0);
      }
      if (columns[word] != null) {
        columns[word][index] = bits;
      }
      all |= bits;
    }
    return all != 0;
  }

  private void readWords(UnsafeRow row, int index, boolean nulls) {
    Object base = row.getBaseObject();
    long first = row.getBaseOffset() + (long) nullWords * Long.BYTES;
    for (int field = 0; field < texts.length; field++) {
      long word = Platform.getLong(base, first + (long) field * Long.BYTES);
      boolean none = nulls && isNull(field, index); // whose word and bytes may be any
      if (texts[field] == null) {
        columns[nullWords + field][index] = none ? 0 : word;
      } else {
        int bytes = none ? 0 : (int) word;
        texts[field].add(index, base, row.getBaseOffset() + (word >>> Integer.SIZE), bytes);
      }
    }
  }

  /** Returns rows that were read as rows, from one on, each of which is there until the next. */
  Iterator<InternalRow> rowsFrom(int first) {
    TextRow row = new TextRow(layout.rows());
    long[] words = new long[columns.length];
    Stream<InternalRow> rest =
        IntStream.range(first, rows).mapToObj(index -> row(index, words, row));
    return CollectionConverters.asScala(rest.iterator());
  }

  private InternalRow row(int index, long[] words, TextRow row) {
    for (int word = 0; word < words.length; word++) {
      words[word] = columns[word] == null ? 0 : columns[word][index];
    }
    row.begin(words, 0);
    int[] fields = layout.texts();
    for (int t = 0; t < fields.length; t++) {
      if (row.isNull(fields[t])) {
        row.addNull(t);
      } else {
        UTF8String text = texts[fields[t]].copied(index);
        row.add(t, text.getBaseObject(), text.getBaseOffset(), text.numBytes());
      }
    }
    return row.row();
  }

  private long[] words(ColumnVector vector, int field) {
    return texts[field] == null
        ? ColumnValues.words(vector, layout.type(field), rows, room(nullWords + field))
        : texts[field].read(vector, layout.type(field), rows);
  }

  private void addNulls(ColumnVector vector, int field, long[] words) {
    int word = field / Long.SIZE;
    if (columns[word] == null) {
      columns[word] = room(word);
      Arrays.fill(columns[word], 0, rows, 0);
    }
    long[] nulls = columns[word];
    for (int i = 0; i < rows; i++) {
      if (vector.isNullAt(i)) {
        nulls[i] |= 1L << field;
        words[i] = 0;
      }
    }
  }
}
