/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.catalyst.rows.RowBlock;
import io.sparkstencil.spark.catalyst.rows.RowChunks;
import io.sparkstencil.spark.catalyst.rows.RowJoiner;
import io.sparkstencil.spark.exec.SeriesChunk;
import io.sparkstencil.spark.exec.StagePlan;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowJoiner;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/** The rows of finished chunks with their results appended. */
public final class ResultRows extends ChunkResults<RowChunks.Rows, InternalRow> {
  private final StructType inputs;
  private final UnsafeProjection projection;
  private final UnsafeRowJoiner joiner;
  private final UnsafeRow row;
  private final ColumnVector[] vectors;
  private final ColumnarBatch results; // of the part of a run at hand
  private int from; // first and last row of the results
  private int until;

  /**
   * Joins rows and results.
   *
   * @param inputs the columns of the input
   * @param results the columns of the results
   * @param onEnd called once, after the last row
   */
  public ResultRows(
      StagePlan plan,
      StructType inputs,
      StructType results,
      Iterator<SeriesChunk<RowChunks.Rows>> chunks,
      Runnable onEnd) {
    super(plan, results, chunks, onEnd);
    this.inputs = inputs;
    this.projection = UnsafeProjection.create(results);
    this.joiner = RowJoiner.of(inputs, results);
    this.row = new UnsafeRow(inputs.size());
    this.vectors = new ColumnVector[results.size()];
    this.results = new ColumnarBatch(vectors);
  }

  @Override
  EmittedRows emitted(RowChunks.Rows payload) {
    return payload.emitted();
  }

  @Override
  void open() {
    until = 0;
  }

  @Override
  void close(RowChunks.Rows payload) {
    payload.block().close();
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    RowBlock block = chunk().payload().block();
    if (at == until) {
      openPart();
    }
    UnsafeRow result = projection.apply(results.getRow(at - from));
    block.point(row, at++);
    return joiner.join(row, result);
  }

  @Override
  StructType inputs() {
    return inputs;
  }

  private UnsafeRow row(int inBlock) {
    UnsafeRow found = new UnsafeRow(inputs.size());
    chunk().payload().block().point(found, inBlock);
    return found;
  }

  private void openPart() {
    RunPart part = nextPart();
    from = at;
    until = at + part.rows();
    int first = from;
    read(List.of(part), vectors, each -> row(first + each));
    results.setNumRows(part.rows());
  }
}
