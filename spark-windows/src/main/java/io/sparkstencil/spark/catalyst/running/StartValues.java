/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.Buffers;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;

/**
 * Where the buffer of each function is among those of a {@link RunningStart}.
 *
 * @param types the columns of all buffers
 * @param firsts the first column of each function
 * @param counts how many columns each has
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StartValues(DataType[] types, List<Integer> firsts, List<Integer> counts)
    implements Serializable {

  /** Returns the values of each function's buffer. */
  public List<Object[]> of(RunningStart start) {
    List<Object[]> values = new ArrayList<>();
    for (int i = 0; i < firsts.size(); i++) {
      values.add(Buffers.values(start.buffers(), types, firsts.get(i), counts.get(i)));
    }
    return values;
  }

  /** Returns the number of rows of the whole series, if it is known. */
  public int total(RunningStart start) {
    return start.buffers().getInt(0);
  }
}
