/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.bounded;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.window.WindowEvaluatorFactory;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/** The frames of some windows, which are Spark's own. */
public final class BoundedFrames implements Serializable {
  private static final long serialVersionUID = 1L;

  private final WindowEvaluatorFactory frames; // null if there are no windows

  /**
   * Creates the frames.
   *
   * @param input the columns of the rows
   */
  BoundedFrames(Seq<NamedExpression> windows, Seq<SortOrder> order, Seq<Attribute> input) {
    this.frames =
        windows.isEmpty()
            ? null
            : new WindowEvaluatorFactory(windows, ScalaInterop.seqOf(), order, input, null);
  }

  /**
   * Returns a task's own rows with their results.
   *
   * @param rows in order, those beside the task's own among them
   * @param counts what is known of them
   */
  public Iterator<InternalRow> run(Iterator<InternalRow> rows, HaloRows counts) {
    return frames == null ? rows : new FrameRows(rows, counts, frames);
  }
}
