/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import io.sparkstencil.spark.catalyst.columns.ArrayColumnVector;
import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.exec.CellColumn;
import io.sparkstencil.spark.exec.SeriesChunk;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.KnownSizeEstimation;

/**
 * Rows of a split, series by series: a chunk whose own rows stay, and copies of the rows that are
 * shuffled. Kept in memory, where it is not changed any more.
 */
final class SplitRows implements Serializable, KnownSizeEstimation {
  private static final long serialVersionUID = 1L;

  /** Bytes of the objects of a run of rows of a series, and of one that stays, about. */
  private static final int RUN_BYTES = 64;

  private final SeriesChunk<EmittedRows> chunk; // or null
  private final CellColumn[] sent; // the columns of the rows
  private final long[] marks; // of these

  private SplitRows(SeriesChunk<EmittedRows> chunk, CellColumn[] sent, long[] marks) {
    this.chunk = chunk;
    this.sent = sent;
    this.marks = marks;
  }

  /**
   * Returns rows all of which are shuffled.
   *
   * @param columns those of the rows
   * @param before rows that the split has sent before
   */
  static SplitRows whole(CellColumn[] columns, int split, int before) {
    long[] marks = new long[columns[0].length()];
    for (int i = 0; i < marks.length; i++) {
      marks[i] = EdgeMark.WHOLE.word(split, before + i);
    }
    return new SplitRows(null, columns, marks);
  }

  /**
   * Returns what there is of a chunk.
   *
   * @param columns where the columns of the rows are in it
   * @param before rows that the split has sent before
   */
  static SplitRows of(SeriesChunk<SplitParts.Kept> of, int[] columns, int split, int before) {
    SplitParts.Kept kept = of.payload();
    long[] marks = new long[kept.sent().values().stream().mapToInt(EmittedRows::rows).sum()];
    int at = 0;
    for (Map.Entry<EdgeMark, EmittedRows> each : kept.sent().entrySet()) {
      for (int i = each.getValue().rows(); i > 0; i--) {
        marks[at] = each.getKey().word(split, before + at);
        at++;
      }
    }
    CellColumn[] sent = new CellColumn[columns.length];
    for (int i = 0; i < columns.length; i++) {
      CellColumn column = of.column(columns[i]);
      sent[i] = new CellColumn(column.type(), marks.length);
      for (EmittedRows each : kept.sent().values()) {
        for (EmittedRows.Range range : each.ranges()) {
          sent[i].addAll(column, range.from(), range.rows());
        }
      }
    }
    boolean stays = kept.own().rows() > 0;
    return new SplitRows(stays ? of.with(kept.own()) : null, sent, marks);
  }

  /** Returns the rows that stay, without results, and those that are there for their frames. */
  List<SeriesChunk<EmittedRows>> chunks() {
    return chunk == null ? List.of() : List.of(chunk.with(chunk.payload()));
  }

  /** Returns the bytes in memory, of which Spark need not see every object then. */
  @Override
  public long estimatedSize() {
    long bytes = (long) marks.length * Long.BYTES;
    for (CellColumn column : sent) {
      bytes += column.bytes();
    }
    return chunk == null ? bytes : bytes + chunk.bytes() + (long) chunk.runs() * RUN_BYTES;
  }

  /** Returns how many rows are shuffled. */
  int sentRows() {
    return marks.length;
  }

  /** Returns the rows that are shuffled, and after their columns that of their marks. */
  ColumnarBatch sent(StructType schema) {
    ColumnVector[] columns = new ColumnVector[schema.size() + 1];
    for (int i = 0; i < schema.size(); i++) {
      columns[i] =
          new ArrayColumnVector(
              schema.apply(i).dataType(), sent[i].array(), sent[i].validity(), 0, marks.length);
    }
    columns[schema.size()] =
        new ArrayColumnVector(DataTypes.LongType, marks, null, 0, marks.length);
    return new ColumnarBatch(columns, marks.length);
  }
}
