/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.bounded;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray;
import org.apache.spark.sql.execution.window.SlidingWindowFunctionFrame;
import org.apache.spark.sql.execution.window.WindowEvaluatorFactory;
import org.apache.spark.sql.execution.window.WindowFunctionFrame;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * A task's own rows with the results of Spark's frames. All rows, those beside its own among them,
 * are in Spark's buffer for windows, which spills.
 *
 * <p>A sliding frame adds up its rows whenever they change. It is asked for results of the task's
 * own rows alone, and of a first row, where it adds up once whether there are rows or not. Frames
 * of another kind move by one row each time they are asked.
 */
final class FrameRows extends AbstractIterator<InternalRow> {
  private final Iterator<InternalRow> rows;
  private final HaloRows counts;
  private final UnsafeProjection projection;
  private final SpecificInternalRow results;
  private final List<WindowFunctionFrame> frames = new ArrayList<>();
  private final JoinedRow joined = new JoinedRow();
  private ExternalAppendOnlyUnsafeRowArray buffer; // made when the first row is asked for
  private Iterator<UnsafeRow> buffered;
  private int index; // of the next row
  private long end; // index after the last of the task's own rows

  FrameRows(Iterator<InternalRow> rows, HaloRows counts, WindowEvaluatorFactory factory) {
    this.rows = rows;
    this.counts = counts;
    List<Expression> functions = new ArrayList<>();
    var pairs = ScalaInterop.list(factory.windowFrameExpressionFactoryPairs());
    pairs.forEach(each -> functions.addAll(ScalaInterop.list(each._1())));
    List<DataType> types = functions.stream().map(Expression::dataType).toList();
    this.results = new SpecificInternalRow(ScalaInterop.seq(types));
    this.projection = factory.createResultProjection(ScalaInterop.seq(functions));
    pairs.forEach(each -> frames.add(each._2().apply(results)));
  }

  @Override
  public boolean hasNext() {
    if (buffer == null) {
      fill();
      passLeft();
    }
    if (index < end) {
      return true;
    }
    buffer.clear();
    return false;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    UnsafeRow row = buffered.next();
    for (WindowFunctionFrame frame : frames) {
      frame.write(index, row);
    }
    index++;
    return projection.apply(joined.apply(row, results));
  }

  /** Reads all rows that are needed. */
  private void fill() {
    SQLConf conf = SQLConf.get();
    buffer =
        new ExternalAppendOnlyUnsafeRowArray(
            conf.windowExecBufferInMemoryThreshold(),
            conf.windowExecBufferSpillSizeThreshold(),
            conf.windowExecBufferSpillThreshold(),
            conf.windowExecBufferSpillSizeThreshold());
    Halo halo = counts.halo();
    for (long read = 0; rows.hasNext(); read++) {
      UnsafeRow row = (UnsafeRow) rows.next();
      // Own rows have been counted when the first row after them comes.
      if (read - counts.left() - counts.own() >= halo.following()) {
        break;
      }
      if (read >= halo.skipped()) {
        buffer.add(row);
      }
    }
    end = counts.left() - halo.skipped() + counts.own();
    frames.forEach(frame -> frame.prepare(buffer));
    buffered = buffer.generateIterator();
  }

  /** Goes past the rows before the task's own. */
  private void passLeft() {
    long own = end - counts.own();
    long warm = own - counts.warm();
    for (; index < own; index++) {
      UnsafeRow row = buffered.next();
      for (WindowFunctionFrame frame : frames) {
        if (index == 0 || index >= warm || !(frame instanceof SlidingWindowFunctionFrame)) {
          frame.write(index, row);
        }
      }
    }
  }
}
