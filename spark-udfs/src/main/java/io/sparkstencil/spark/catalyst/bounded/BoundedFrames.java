/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.bounded;

import io.sparkstencil.spark.catalyst.frames.WindowFrames;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;

/**
 * Windows between two bounds, as tasks compute them.
 *
 * @param windows their frames
 * @param schema the columns of the rows
 */
public record BoundedFrames(WindowFrames windows, StructType schema) implements Serializable {

  /**
   * Returns a task's own rows with their results.
   *
   * @param rows in order, those beside the task's own among them
   * @param counts what is known of them
   */
  public Iterator<InternalRow> run(Iterator<InternalRow> rows, HaloRows counts) {
    return windows.isEmpty() ? rows : new FrameRows(rows, counts, windows, schema);
  }
}
