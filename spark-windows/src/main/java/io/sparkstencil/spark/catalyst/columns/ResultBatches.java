/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.exec.CellColumn;
import io.sparkstencil.spark.exec.SeriesChunk;
import io.sparkstencil.spark.exec.StagePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/**
 * The columns of finished chunks with their results. Arrays are handed on; results of short runs
 * are joined, so that batches are worth their cost.
 */
public final class ResultBatches extends ChunkResults<EmittedRows, ColumnarBatch> {
  /** Rows of a batch, if there are so many. */
  private static final int LEAST_ROWS = 1 << 10;

  private final ColumnarLayout layout;
  private final StructType inputs;
  private final TextMemory texts;
  private final int width;

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
      Iterator<SeriesChunk<EmittedRows>> chunks,
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
  EmittedRows emitted(EmittedRows payload) {
    return payload;
  }

  @Override
  public ColumnarBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    List<RunPart> parts = new ArrayList<>();
    int rows = 0;
    do {
      parts.add(nextPart());
      rows += parts.get(parts.size() - 1).rows();
    } while (rows < LEAST_ROWS && at + rows < chunk().payload().rows());
    ColumnVector[] vectors = new ColumnVector[width];
    for (int i = 0; i < inputs.size(); i++) {
      vectors[i] =
          input(inputs.apply(i).dataType(), chunk().column(layout.position(i)), parts, rows);
    }
    ColumnarBatch batch = new ColumnarBatch(vectors, rows);
    read(parts, vectors, batch::getRow);
    at += rows;
    return batch;
  }

  private ColumnVector input(DataType type, CellColumn column, List<RunPart> parts, int rows) {
    int from = parts.get(0).inChunk();
    RunPart last = parts.get(parts.size() - 1);
    CellColumn cells = column;
    if (last.inChunk() + last.rows() - from > rows) { // they lie apart
      cells = new CellColumn(column.type(), rows);
      for (RunPart each : parts) {
        cells.addAll(column, each.inChunk(), each.rows());
      }
      from = 0;
    }
    return ArrayColumnVector.of(type, cells, texts, from, rows);
  }
}
