/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;

/**
 * Windows with one bound or two, as tasks compute them.
 *
 * @param closed frames between two bounds
 * @param open frames with one
 * @param results the columns of their results
 * @param schema the columns of the rows
 */
public record BoundedFrames(
    WindowFrames closed, OpenFrames open, List<Attribute> results, StructType schema)
    implements Serializable {

  /**
   * Returns a task's own rows with their results.
   *
   * @param rows in order, those beside the task's own among them
   * @param counts what is known of them
   */
  public Iterator<InternalRow> run(Iterator<InternalRow> rows, HaloRows counts) {
    return results.isEmpty() ? rows : new FrameRows(rows, counts, this);
  }
}
