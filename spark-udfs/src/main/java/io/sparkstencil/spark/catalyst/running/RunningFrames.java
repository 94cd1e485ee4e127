/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.order.RowOrder;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * All functions of an operator as its tasks compute them.
 *
 * @param rows those whose frames end with the row, or take in the whole series
 * @param ties those whose frames end with the last row that ties
 * @param order the order of rows with the results of the first
 */
public record RunningFrames(FrameSpec rows, FrameSpec ties, RowOrder order)
    implements Serializable {

  /** Returns the columns of the rows. */
  public Seq<Attribute> input() {
    return rows.input();
  }

  /** Returns the rows of a partition with their results. */
  public Iterator<InternalRow> run(Iterator<InternalRow> sorted, RunningStart start) {
    if (start.failure() != null) {
      throw start.failure();
    }
    Iterator<InternalRow> done = sorted;
    if (!rows.isEmpty()) {
      done = new RowFrames(done, new FrameBuffers(rows, start));
    }
    if (!ties.isEmpty()) {
      int fields = order.attributes().size();
      done = new TieFrames(done, new FrameBuffers(ties, start), order.comparator(), fields);
    }
    return done;
  }
}
