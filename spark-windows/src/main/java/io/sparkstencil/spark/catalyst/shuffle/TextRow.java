/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.columns.Texts;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.unsafe.Platform;

/** A row of words and texts, which lies in memory as Spark's rows do. */
public final class TextRow {
  private final RowLayout layout;
  private final UnsafeRow row;
  private final long[] textPlaces; // of the words of texts, in memory
  private byte[] memory;
  private int used; // bytes

  /** Creates a row of nothing yet. */
  public TextRow(RowLayout layout) {
    this.layout = layout;
    this.row = new UnsafeRow(layout.fields());
    this.textPlaces =
        layout.texts().stream()
            .mapToLong(text -> Platform.BYTE_ARRAY_OFFSET + (long) layout.word(text) * Long.BYTES)
            .toArray();
    this.memory = new byte[2 * layout.words() * Long.BYTES];
  }

  /**
   * Begins with the words of a row. A text that is not added is null, or has no bytes.
   *
   * @param words where those of a row are from {@code from} on; those of texts do not count
   */
  public void begin(long[] words, int from) {
    used = layout.words() * Long.BYTES;
    Platform.copyMemory(
        words,
        Platform.LONG_ARRAY_OFFSET + (long) from * Long.BYTES,
        memory,
        Platform.BYTE_ARRAY_OFFSET,
        used);
    for (long place : textPlaces) {
      Platform.putLong(memory, place, 0);
    }
    row.pointTo(memory, Platform.BYTE_ARRAY_OFFSET, used);
  }

  /** Tells whether a column is null. */
  public boolean isNull(int field) {
    return row.isNullAt(field);
  }

  /**
   * Adds the text of a column; those of columns before it come before it.
   *
   * @param text which of the columns of texts it is
   */
  public void add(int text, Object from, long offset, int bytes) {
    int least = Texts.leastBytes(layout.types().get(text));
    int until = makeRoom(Math.max(least, Texts.padded(bytes)));
    if (least > 0) {
      clear(least);
    }
    Texts.copy(from, offset, bytes, memory, Platform.BYTE_ARRAY_OFFSET + (long) used);
    point(text, bytes, until);
  }

  /** Adds a null, for which some columns have bytes too. */
  public void addNull(int text) {
    DataType type = layout.types().get(text);
    int least = Texts.leastBytes(type);
    if (least > 0) {
      int until = makeRoom(least);
      clear(least);
      point(text, Texts.bytesOfNull(type), until);
    }
  }

  private int makeRoom(long bytes) {
    int until = Math.toIntExact(used + bytes);
    if (until > memory.length) {
      memory = Arrays.copyOf(memory, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * until));
    }
    return until;
  }

  private void clear(int bytes) {
    Arrays.fill(memory, used, used + bytes, (byte) 0);
  }

  private void point(int text, int bytes, int until) {
    row.pointTo(memory, Platform.BYTE_ARRAY_OFFSET, until);
    long place = textPlaces[text];
    Platform.putLong(memory, place, (long) used << Integer.SIZE | bytes);
    used = until;
  }

  /** Returns the row, which is there until the next begins. */
  public UnsafeRow row() {
    return row;
  }
}
