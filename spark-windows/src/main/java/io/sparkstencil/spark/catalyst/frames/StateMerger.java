/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;

/** Joins the states of parts to that of all rows up to the last part. */
public final class StateMerger {
  private final DataType[] types;
  private final Object[] initial;
  private final SpecificInternalRow buffer;
  private final MutableProjection merge;
  private final JoinedRow joined = new JoinedRow();
  private long rows;

  StateMerger(DataType[] types, Object[] initial, MutableProjection merge) {
    this.types = types;
    this.initial = initial;
    this.buffer = Buffers.of(types, initial);
    this.merge = merge;
    merge.target(buffer);
  }

  /** Begins anew, without parts. */
  public void clear() {
    rows = 0;
    for (int i = 0; i < initial.length; i++) {
      buffer.update(i, initial[i]);
    }
  }

  /** Adds a part that comes after all parts so far. */
  public void add(RunningState part) {
    rows += part.rows();
    if (types.length > 0) {
      merge.apply(joined.apply(buffer, part.buffers()));
    }
  }

  /** Returns the state of all parts so far. */
  public RunningState state() {
    return new RunningState(rows, UnsafeProjection.create(types).apply(buffer).copy());
  }

  /** Returns the number of rows so far. */
  public long rows() {
    return rows;
  }

  /** Returns the aggregated values so far, which the next part overwrites. */
  public InternalRow buffer() {
    return buffer;
  }
}
