/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.columns.Texts;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
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

  /** Adds the text of a column; those of columns before it come before it. */
  public void add(int field, Object from, long offset, int bytes) {
    int until = Math.toIntExact(used + Texts.padded(bytes));
    if (until > memory.length) {
      memory = Arrays.copyOf(memory, (int) Math.min(Integer.MAX_VALUE - 8L, 2L * until));
    }
    Texts.copy(from, offset, bytes, memory, Platform.BYTE_ARRAY_OFFSET + (long) used);
    row.pointTo(memory, Platform.BYTE_ARRAY_OFFSET, until);
    row.setLong(field, (long) used << Integer.SIZE | bytes);
    used = until;
  }

  /** Returns the row, which is there until the next begins. */
  public UnsafeRow row() {
    return row;
  }
}
