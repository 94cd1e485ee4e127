/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.segment.Segment;
import io.sparkstencil.spark.catalyst.interop.SparkErrors;
import io.sparkstencil.spark.exec.CellKind;
import io.sparkstencil.spark.exec.CheckedSums;
import io.sparkstencil.spark.exec.SeriesChunk;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.exec.SumOverflow;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowJoiner;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import scala.collection.AbstractIterator;

/** The rows of finished chunks with their results appended. */
public final class ResultRows extends AbstractIterator<InternalRow> {
  private final StagePlan plan;
  private final Iterator<SeriesChunk<RowChunks.Rows>> chunks;
  private final UnsafeRowJoiner joiner;
  private final UnsafeRowWriter writer;
  private final UnsafeRow row;
  private final Runnable onEnd;

  private SeriesChunk<RowChunks.Rows> chunk;
  private int at; // next row of the block
  private int piece;
  private int pieceFrom; // its first row in the chunk
  private Object[] arrays;
  private byte[][] validity;
  private boolean[][] overflows; // from the first row of the piece that the result has
  private int checkedFrom;
  private boolean ended;

  /**
   * Joins rows and results.
   *
   * @param joiner appends a row of results to a row of the input
   * @param rowFields columns of the input
   * @param onEnd called once, after the last row
   */
  public ResultRows(
      StagePlan plan,
      Iterator<SeriesChunk<RowChunks.Rows>> chunks,
      UnsafeRowJoiner joiner,
      int rowFields,
      Runnable onEnd) {
    this.plan = plan;
    this.chunks = chunks;
    this.joiner = joiner;
    this.writer = new UnsafeRowWriter(plan.results().size());
    this.row = new UnsafeRow(rowFields);
    this.onEnd = onEnd;
  }

  @Override
  public boolean hasNext() {
    while (chunk == null || at == chunk.payload().block().rows()) {
      if (chunk != null) {
        chunk.payload().block().close();
        chunk = null;
      }
      if (!chunks.hasNext()) {
        if (!ended) {
          ended = true;
          onEnd.run();
        }
        return false;
      }
      chunk = chunks.next();
      at = 0;
      piece = -1;
      pieceFrom = 0;
    }
    return true;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    int inChunk = chunk.payload().skip() + at;
    while (piece < 0 || inChunk >= pieceFrom + chunk.pieceLength(piece)) {
      pieceFrom += piece < 0 ? 0 : chunk.pieceLength(piece);
      piece++;
      openPiece();
    }
    write(inChunk - pieceFrom);
    chunk.payload().block().point(row, at++);
    return joiner.join(row, writer.getRow());
  }

  private void openPiece() {
    List<StagePlan.Result> results = plan.results();
    arrays = new Object[results.size()];
    validity = new byte[results.size()][];
    overflows = new boolean[results.size()][];
    checkedFrom = chunk.payload().skip() + at - pieceFrom;
    int checked =
        Math.min(chunk.pieceLength(piece) - checkedFrom, chunk.payload().block().rows() - at);
    for (int r = 0; r < arrays.length; r++) {
      StagePlan.Result result = results.get(r);
      StagePlan.Pipeline pipeline = plan.pipelines().get(result.pipeline());
      ElementType type = plan.columns().get(pipeline.column()).type();
      Segment<Void> segment = chunk.segment(result.pipeline(), piece);
      arrays[r] = segment.result(result.spec(), type);
      validity[r] = segment.resultValidity(result.spec());
      if (result.overflow() != SumOverflow.WRAP) {
        overflows[r] =
            CheckedSums.overflows(
                segment, pipeline.specs().get(result.spec()), checkedFrom, checked);
      }
    }
  }

  private void write(int index) {
    writer.reset();
    writer.zeroOutNullBytes();
    for (int r = 0; r < arrays.length; r++) {
      if (validity[r] != null && validity[r][index] == 0) {
        writer.setNullAt(r);
        continue;
      }
      if (overflows[r] != null && overflows[r][index - checkedFrom]) {
        if (plan.results().get(r).overflow() == SumOverflow.FAIL) {
          throw SparkErrors.sumOverflow();
        }
        writer.setNullAt(r);
        continue;
      }
      CellKind kind = plan.results().get(r).kind();
      switch (kind) {
        case DOUBLE -> writer.write(r, ((double[]) arrays[r])[index]);
        case FLOAT -> writer.write(r, ((float[]) arrays[r])[index]);
        case LONG -> writer.write(r, asLong(arrays[r], index));
        case INT -> writer.write(r, ((int[]) arrays[r])[index]);
        case SHORT -> writer.write(r, (short) ((int[]) arrays[r])[index]);
        case BYTE -> writer.write(r, (byte) ((int[]) arrays[r])[index]);
      }
    }
  }

  /** Counts of floating columns are staged and returned as doubles. */
  static long asLong(Object array, int index) {
    return array instanceof long[] longs ? longs[index] : (long) ((double[]) array)[index];
  }
}
