/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.columns.MixedBatches;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.loops.LoopPlan;
import io.sparkstencil.spark.catalyst.running.SeriesFrames;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;
import java.io.Serializable;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * Windows some of which are loops over columns. Rows are made, on the way, for the others alone,
 * and only their results are rows that become columns.
 *
 * @param loops those that are loops
 * @param others those that are none
 * @param results the columns of their results
 * @param places where the columns of the rows and of all results are, as {@link MixedBatches} has
 *     it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record MixedWindows(LoopPlan loops, SeriesFrames others, StructType results, int[] places)
    implements Serializable {

  /** Returns such windows, or null if all of them are loops, or none is. */
  public static MixedWindows of(
      Seq<NamedExpression> windows, Seq<SortOrder> order, Seq<Attribute> input, ZoneId zone) {
    List<NamedExpression> looped = LoopPlan.looped(windows, order, input, zone);
    if (looped.isEmpty() || looped.size() == windows.size()) {
      return null;
    }
    List<NamedExpression> others = new ArrayList<>(ScalaInterop.list(windows));
    others.removeAll(looped);
    int[] places = new int[input.size() + windows.size()];
    int found = input.size(); // columns of loops
    for (int c = 0; c < places.length; c++) {
      boolean isOther = c >= input.size() && others.contains(windows.apply(c - input.size()));
      places[c] = isOther ? found - 1 - c : c < input.size() ? c : found++;
    }
    List<Attribute> results = others.stream().map(NamedExpression::toAttribute).toList();
    return new MixedWindows(
        LoopPlan.of(ScalaInterop.seq(looped), order, input, zone, true).plan(),
        SeriesFrames.of(ScalaInterop.seq(others), order, input, zone),
        DataTypeUtils.fromAttributes(ScalaInterop.seq(results)),
        places);
  }

  /** Returns batches of loops with the results of the others beside. */
  Iterator<ColumnarBatch> beside(Iterator<ColumnarBatch> ofLoops, SeriesColumns rows) {
    int width = others.input().size();
    List<Expression> values = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      values.add(new BoundReference(width + i, results.apply(i).dataType(), true));
    }
    UnsafeProjection projection = UnsafeProjection.create(ScalaInterop.seq(values));
    return new MixedBatches(ofLoops, results, others.run(rows.beside()).map(projection), places);
  }
}
