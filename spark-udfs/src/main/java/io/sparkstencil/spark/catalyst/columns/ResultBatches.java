/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.exec.CellColumn;
import io.sparkstencil.spark.exec.SeriesChunk;
import io.sparkstencil.spark.exec.StagePlan;
import java.util.NoSuchElementException;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/**
 * The columns of finished chunks with their results. Arrays are handed on; results of short pieces
 * are joined, so that batches are worth their cost.
 */
public final class ResultBatches extends ChunkResults<OrderedBatches.Emitted, ColumnarBatch> {
  /** Rows of a batch, if there are so many. */
  private static final int LEAST_ROWS = 1 << 10;

  private final ColumnarLayout layout;
  private final StructType inputs;
  private final TextMemory texts;
  private final int width;
  private int piece;
  private int untilInChunk; // end of the current piece

  /**
   * Joins columns and results.
   *
   * @param inputs the columns of the input
   * @param results the columns of the results
   * @param texts the memory of the input's texts, or null if it has none
   * @param onEnd called once, after the last batch
   */
  public ResultBatches(
      StagePlan plan,
      ColumnarLayout layout,
      StructType inputs,
      StructType results,
      TextMemory texts,
      Iterator<SeriesChunk<OrderedBatches.Emitted>> chunks,
      Runnable onEnd) {
    super(plan, results, chunks, onEnd);
    this.layout = layout;
    this.inputs = inputs;
    this.texts = texts;
    this.width = inputs.size() + results.size();
  }

  @Override
  StructType inputs() {
    return inputs;
  }

  @Override
  int rows(OrderedBatches.Emitted payload) {
    return payload.rows();
  }

  @Override
  void open() {
    piece = -1;
    untilInChunk = 0;
  }

  @Override
  public ColumnarBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    OrderedBatches.Emitted emitted = chunk().payload();
    int from = emitted.from() + at;
    while (from >= untilInChunk) {
      untilInChunk += chunk().pieceLength(++piece);
    }
    int inPiece = from - (untilInChunk - chunk().pieceLength(piece));
    int first = piece;
    int rows = Math.min(emitted.rows() - at, untilInChunk - from);
    while (rows < LEAST_ROWS && at + rows < emitted.rows()) {
      untilInChunk += chunk().pieceLength(++piece);
      rows = Math.min(emitted.rows() - at, untilInChunk - from);
    }
    ColumnVector[] vectors = new ColumnVector[width];
    for (int i = 0; i < inputs.size(); i++) {
      vectors[i] =
          input(inputs.apply(i).dataType(), chunk().column(layout.position(i)), from, rows);
    }
    ColumnarBatch batch = new ColumnarBatch(vectors, rows);
    read(first, piece - first + 1, inPiece, rows, vectors, batch::getRow);
    at += rows;
    return batch;
  }

  private ColumnVector input(DataType type, CellColumn column, int from, int rows) {
    return Texts.isText(type)
        ? new TextVector(type, texts, (long[]) column.array(), column.validity(), from, rows)
        : new ArrayColumnVector(type, column.array(), column.validity(), from, rows);
  }
}
