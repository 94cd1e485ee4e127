/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.segment.Segment;
import io.sparkstencil.spark.catalyst.interop.SparkErrors;
import io.sparkstencil.spark.exec.CellColumn;
import io.sparkstencil.spark.exec.CellKind;
import io.sparkstencil.spark.exec.CheckedSums;
import io.sparkstencil.spark.exec.SeriesChunk;
import io.sparkstencil.spark.exec.StagePlan;
import io.sparkstencil.spark.exec.SumOverflow;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.AbstractIterator;

/** The columns of finished chunks with their results; arrays are handed on, not copied. */
public final class ResultBatches extends AbstractIterator<ColumnarBatch> {
  private final StagePlan plan;
  private final ColumnarLayout layout;
  private final StructType inputs;
  private final StructType results;
  private final Iterator<SeriesChunk<OrderedBatches.Emitted>> chunks;
  private final Runnable onEnd;
  private SeriesChunk<OrderedBatches.Emitted> chunk;
  private boolean ended;

  /**
   * Joins columns and results.
   *
   * @param inputs the columns of the input
   * @param results the columns of the results
   * @param onEnd called once, after the last batch
   */
  public ResultBatches(
      StagePlan plan,
      ColumnarLayout layout,
      StructType inputs,
      StructType results,
      Iterator<SeriesChunk<OrderedBatches.Emitted>> chunks,
      Runnable onEnd) {
    this.plan = plan;
    this.layout = layout;
    this.inputs = inputs;
    this.results = results;
    this.chunks = chunks;
    this.onEnd = onEnd;
  }

  @Override
  public boolean hasNext() {
    while (chunk == null && chunks.hasNext()) {
      chunk = chunks.next();
      if (chunk.payload().rows() == 0) {
        chunk = null;
      }
    }
    if (chunk == null && !ended) {
      ended = true;
      onEnd.run();
    }
    return chunk != null;
  }

  @Override
  public ColumnarBatch next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    int from = chunk.payload().from();
    int rows = chunk.payload().rows();
    ColumnVector[] vectors = new ColumnVector[inputs.size() + results.size()];
    for (int i = 0; i < inputs.size(); i++) {
      CellColumn column = chunk.column(layout.position(i));
      vectors[i] =
          new ArrayColumnVector(
              inputs.apply(i).dataType(), column.array(), column.validity(), from, rows);
    }
    List<StagePlan.Result> found = plan.results();
    for (int r = 0; r < found.size(); r++) {
      vectors[inputs.size() + r] = result(found.get(r), r, from, rows);
    }
    chunk = null;
    return new ColumnarBatch(vectors, rows);
  }

  private ColumnVector result(StagePlan.Result result, int index, int from, int rows) {
    StagePlan.Pipeline pipeline = plan.pipelines().get(result.pipeline());
    Segment<Void> segment = chunk.segment(result.pipeline(), 0);
    Object array = segment.result(result.spec(), plan.columns().get(pipeline.column()).type());
    if (result.kind() == CellKind.LONG && array instanceof double[] counts) {
      long[] longs = new long[counts.length];
      for (int i = 0; i < longs.length; i++) {
        longs[i] = (long) counts[i];
      }
      array = longs;
    }
    byte[] validity = segment.resultValidity(result.spec());
    if (result.overflow() != SumOverflow.WRAP) {
      boolean[] overflows =
          CheckedSums.overflows(segment, pipeline.specs().get(result.spec()), from, rows);
      validity = withoutOverflows(overflows, validity, result.overflow(), from, segment.length());
    }
    return new ArrayColumnVector(results.apply(index).dataType(), array, validity, from, rows);
  }

  /** Makes sums that overflow null, or throws where one that is not null already must fail. */
  private static byte[] withoutOverflows(
      boolean[] overflows, byte[] validity, SumOverflow rule, int from, int length) {
    byte[] known = validity;
    for (int i = 0; overflows != null && i < overflows.length; i++) {
      if (!overflows[i] || (known != null && known[from + i] == 0)) {
        continue;
      }
      if (rule == SumOverflow.FAIL) {
        throw SparkErrors.sumOverflow();
      }
      if (known == null) {
        known = new byte[length];
        Arrays.fill(known, (byte) 1);
      }
      known[from + i] = 0;
    }
    return known;
  }
}
