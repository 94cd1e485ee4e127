/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.BufferProjection;
import io.sparkstencil.spark.catalyst.frames.Buffers;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowJoiner;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowJoiner;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.Seq;

/** The buffers of functions whose frames end with the same row, as it moves on. */
final class FrameBuffers {
  private final SpecificInternalRow buffer;
  private final MutableProjection update;
  private final UnsafeProjection evaluate;
  private final UnsafeRowJoiner joiner;
  private final JoinedRow joined = new JoinedRow();

  FrameBuffers(FrameSpec spec, RunningStart start) {
    DataType[] types = spec.types();
    Object[] values = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      int at = spec.first() + i;
      values[i] = start.buffers().isNullAt(at) ? null : start.buffers().get(at, types[i]);
    }
    this.buffer = Buffers.of(types, values);
    Seq<Attribute> columns = ScalaInterop.seq(spec.columns());
    this.update = BufferProjection.of(spec.update(), ScalaInterop.concat(columns, spec.input()));
    update.target(buffer);
    this.evaluate = UnsafeProjection.create(ScalaInterop.seq(spec.evaluate()), columns);
    this.joiner = RowJoiner.of(spec.inputSchema(), spec.resultSchema());
  }

  /** Takes a row into the frames. */
  void update(InternalRow row) {
    update.apply(joined.apply(buffer, row));
  }

  /** Returns the results of the frames, which the next call overwrites. */
  UnsafeRow results() {
    return evaluate.apply(buffer);
  }

  /** Returns a row with its results, which the next call overwrites. */
  InternalRow join(UnsafeRow row, UnsafeRow results) {
    return joiner.join(row, results);
  }
}
