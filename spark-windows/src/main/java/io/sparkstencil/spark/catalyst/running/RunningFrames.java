/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.rows.RowOrder;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * All functions of an operator as its tasks compute them.
 *
 * @param rows those whose frames end with the row, or take in the whole series
 * @param ties those whose frames end with the last row that ties
 * @param order the order of rows with the results of the first
 * @param rests those whose frames go from a row to the last of the series
 */
public record RunningFrames(FrameSpec rows, FrameSpec ties, RowOrder order, List<RestSpec> rests)
    implements Serializable {

  /** Returns the columns of the rows. */
  public Seq<Attribute> input() {
    return rows.input();
  }

  /** Returns the rows of a part with their results. */
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
    return rests.isEmpty() ? done : new RestRows(done, rests, rests(start));
  }

  /** Returns the buffers of the rows after a part, which follow the others. */
  private List<InternalRow> rests(RunningStart start) {
    List<InternalRow> buffers = new ArrayList<>();
    int first = rows.columns().size() + ties.columns().size();
    for (RestSpec each : rests) {
      DataType[] types = each.buffers().types();
      Object[] values = new Object[types.length];
      for (int i = 0; i < types.length; i++) {
        boolean none = start.buffers().isNullAt(first + i);
        values[i] = none ? null : start.buffers().get(first + i, types[i]);
      }
      buffers.add(new GenericInternalRow(values));
      first += types.length;
    }
    return buffers;
  }
}
