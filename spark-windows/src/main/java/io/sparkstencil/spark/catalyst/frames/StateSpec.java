/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/**
 * What states consist of.
 *
 * @param buffers what is aggregated
 * @param ordered whether it depends on the order of the rows
 * @param input the columns of the rows
 */
public record StateSpec(PartialBuffers buffers, boolean ordered, Seq<Attribute> input)
    implements Serializable {

  /** Returns the same of rows that have other columns, those that are needed among them. */
  public StateSpec of(Seq<Attribute> columns) {
    return new StateSpec(buffers, ordered, columns);
  }

  /** Tells whether nothing but rows is counted. */
  public boolean isEmpty() {
    return buffers.columns().isEmpty();
  }

  /** Returns the expressions that read rows. */
  public List<Expression> updates() {
    return buffers.update();
  }

  /** Returns what makes collectors of one task. */
  public Supplier<StateCollector> collectors() {
    Seq<Attribute> columns = ScalaInterop.concat(ScalaInterop.seq(buffers.columns()), input);
    MutableProjection update = BufferProjection.of(buffers.update(), columns);
    DataType[] types = buffers.types();
    UnsafeProjection packing = UnsafeProjection.create(types);
    return () -> new StateCollector(types, initialValues(), update, packing);
  }

  /** Returns the state after rows. */
  public RunningState state(Iterator<InternalRow> rows) {
    StateCollector collector = collectors().get();
    collector.addAll(rows);
    return collector.state();
  }

  /** Returns what joins states, on the driver. */
  public StateMerger merger() {
    Seq<Attribute> columns =
        ScalaInterop.concat(
            ScalaInterop.seq(buffers.columns()), ScalaInterop.seq(buffers.others()));
    MutableProjection merge = BufferProjection.of(buffers.merge(), columns);
    return new StateMerger(buffers.types(), initialValues(), merge);
  }

  private Object[] initialValues() {
    return buffers.initial().stream().map(each -> each.eval(null)).toArray();
  }
}
