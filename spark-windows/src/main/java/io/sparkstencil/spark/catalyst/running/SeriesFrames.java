/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RepeatableSeries;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.SeriesRows;
import java.io.Serializable;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.WindowExpression;
import org.apache.spark.sql.types.DataType;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * Windows over series, as tasks compute them: those that begin afresh with each series, and those
 * that go on from what is known of the rows before a range of one series.
 *
 * @param buffer the functions whose frames begin with the series
 * @param rests the functions whose frames go from a row to the last of the series
 * @param others the windows whose frames move from row to row
 * @param results the columns of the results
 * @param input the columns of the rows
 * @param order the order of the rows of a series
 */
public record SeriesFrames(
    SeriesBuffer buffer,
    OpenFrames rests,
    WindowFrames others,
    List<Attribute> results,
    Seq<Attribute> input,
    RowOrder order)
    implements Serializable {

  /**
   * Plans windows.
   *
   * @param windows windows with their names
   * @param order their order within a series
   * @param input the columns of the rows
   * @param zone the session's time zone
   */
  public static SeriesFrames of(
      Seq<NamedExpression> windows, Seq<SortOrder> order, Seq<Attribute> input, ZoneId zone) {
    List<RunningFunction> functions = new ArrayList<>();
    List<Attribute> ofFunctions = new ArrayList<>();
    List<NamedExpression> rests = new ArrayList<>();
    List<NamedExpression> others = new ArrayList<>();
    List<Attribute> results = new ArrayList<>();
    for (NamedExpression each : ScalaInterop.list(windows)) {
      WindowExpression window = (WindowExpression) ((Alias) each).child();
      results.add(each.toAttribute());
      if (SeriesBuffer.has(window)) {
        functions.add(RunningFunction.of(window));
        ofFunctions.add(each.toAttribute());
      } else {
        (isRest(window) ? rests : others).add(each);
      }
    }
    return new SeriesFrames(
        SeriesBuffer.of(functions, ofFunctions),
        new OpenFrames(rests, order, input, zone),
        new WindowFrames(others, order, input, zone, true),
        results,
        input,
        new RowOrder(order, input));
  }

  /** Tells whether a window's frame goes to the last row, and can be computed from there. */
  private static boolean isRest(WindowExpression window) {
    FrameExtent extent = FrameExtent.of(window);
    return extent != null && extent.isRest() && Aggregates.canBeJoined(window.windowFunction());
  }

  /** Returns the results, of the buffer and of what frames have found. */
  List<Expression> evaluate() {
    List<Expression> evaluate = new ArrayList<>();
    results.forEach(each -> evaluate.add(buffer.evaluate().getOrDefault(each, (Expression) each)));
    return evaluate;
  }

  /** Returns the types of the values that a {@link RunningStart} has. */
  DataType[] types() {
    List<DataType> types = new ArrayList<>(List.of(buffer.types()));
    types.addAll(List.of(rests.states().buffers().types()));
    return types.toArray(DataType[]::new);
  }

  /** Returns the rows of a partition, one series after the other, with their results. */
  public Iterator<InternalRow> run(RowSource rows) {
    boolean once = !buffer.sized() && !buffer.updates().containsKey(FrameExtent.SERIES);
    return run(rows, null, once);
  }

  /**
   * Returns the rows of a range of one series, which come in order, with their results.
   *
   * @param start what functions go on from
   */
  public Iterator<InternalRow> run(Iterator<InternalRow> range, RunningStart start) {
    if (start.failure() != null) {
      throw start.failure();
    }
    return run(new SeriesRows(range, null), start, true);
  }

  private Iterator<InternalRow> run(RowSource rows, RunningStart start, boolean once) {
    boolean read = once && rests.isEmpty() && others.isEmpty();
    return new SeriesResults(this, read ? rows : new RepeatableSeries(rows), start);
  }
}
