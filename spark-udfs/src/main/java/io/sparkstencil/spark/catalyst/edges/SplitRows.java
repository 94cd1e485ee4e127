/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.edges;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import io.sparkstencil.spark.catalyst.columns.ArrayColumnVector;
import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.catalyst.rows.Emitted;
import io.sparkstencil.spark.exec.CellColumn;
import io.sparkstencil.spark.exec.SeriesChunk;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Rows of a split, series by series: a chunk whose own rows stay, and copies of the rows that are
 * shuffled. Kept in memory, where it is not changed any more.
 */
@DefaultSerializer(JavaSerializer.class) // Kryo cannot write records
final class SplitRows implements Serializable {
  private static final long serialVersionUID = 1L;

  private final SeriesChunk<Emitted> chunk; // or null
  private final CellColumn[] sent; // as they are in a chunk
  private final long[] marks; // of these

  private SplitRows(SeriesChunk<Emitted> chunk, CellColumn[] sent, long[] marks) {
    this.chunk = chunk;
    this.sent = sent;
    this.marks = marks;
  }

  /** Returns rows all of which are shuffled. */
  static SplitRows whole(CellColumn[] columns, int split) {
    long[] marks = new long[columns[0].length()];
    Arrays.fill(marks, EdgeMark.WHOLE.word(split));
    return new SplitRows(null, columns, marks);
  }

  /** Returns what there is of a chunk. */
  static SplitRows of(SeriesChunk<SplitParts.Kept> of, int columns, int split) {
    SplitParts.Kept kept = of.payload();
    int rows = kept.sent().values().stream().mapToInt(Emitted::rows).sum();
    CellColumn[] sent = new CellColumn[columns];
    for (int i = 0; i < columns; i++) {
      sent[i] = new CellColumn(of.column(i).type(), rows);
      for (Emitted each : kept.sent().values()) {
        for (Emitted.Range range : each.ranges()) {
          sent[i].addAll(of.column(i), range.from(), range.rows());
        }
      }
    }
    long[] marks = new long[rows];
    int at = 0;
    for (Map.Entry<EdgeMark, Emitted> each : kept.sent().entrySet()) {
      int until = at + each.getValue().rows();
      Arrays.fill(marks, at, until, each.getKey().word(split));
      at = until;
    }
    boolean stays = kept.own().rows() > 0;
    return new SplitRows(stays ? of.with(kept.own()) : null, sent, marks);
  }

  /** Returns the rows that stay, without results, and those that are there for their frames. */
  List<SeriesChunk<Emitted>> chunks() {
    return chunk == null ? List.of() : List.of(chunk.with(chunk.payload()));
  }

  /** Returns the rows that are shuffled, and after their columns that of their marks. */
  ColumnarBatch sent(ColumnarLayout layout, StructType schema) {
    ColumnVector[] columns = new ColumnVector[schema.size() + 1];
    for (int i = 0; i < schema.size(); i++) {
      CellColumn cells = sent[layout.position(i)];
      columns[i] =
          new ArrayColumnVector(
              schema.apply(i).dataType(), cells.array(), cells.validity(), 0, marks.length);
    }
    columns[schema.size()] =
        new ArrayColumnVector(DataTypes.LongType, marks, null, 0, marks.length);
    return new ColumnarBatch(columns, marks.length);
  }
}
