/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * How the buffers of functions are packed in a {@link RunningStart}: after the number of rows of
 * the whole series, one after the other.
 *
 * @param types the columns of all buffers
 * @param counts how many columns the buffer of each function has
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StartValues(DataType[] types, List<Integer> counts) implements Serializable {

  /** Returns the values of each function's buffer. */
  public List<Object[]> of(RunningStart start) {
    BufferCursor cursor = new BufferCursor(types);
    cursor.take(start.buffers(), 1);
    return counts.stream().map(count -> cursor.take(start.buffers(), count)).toList();
  }

  /** Returns the number of rows of the whole series, if it is known. */
  public int total(RunningStart start) {
    return start.buffers().getInt(0);
  }
}
