/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.DeclarativeAggregate;
import org.apache.spark.sql.types.DataType;

/**
 * What is aggregated of a part of the rows, and how two parts become one, as Spark aggregates in
 * parts.
 *
 * @param columns the columns of the buffer
 * @param initial their values before the first row, which are constants
 * @param update their values after a row, of the buffer and the row
 * @param others the columns of the buffer of a later part
 * @param merge their values after that part, of both buffers
 */
public record PartialBuffers(
    List<Attribute> columns,
    List<Expression> initial,
    List<Expression> update,
    List<Attribute> others,
    List<Expression> merge)
    implements Serializable {

  /** What is aggregated where the number of rows suffices. */
  public static final PartialBuffers NONE =
      new PartialBuffers(List.of(), List.of(), List.of(), List.of(), List.of());

  /** Returns the buffer of an aggregate of parts that are joined as Spark does. */
  public static PartialBuffers of(DeclarativeAggregate function) {
    PartialBuffers one = unjoined(function);
    return new PartialBuffers(
        one.columns,
        one.initial,
        one.update,
        List.copyOf(ScalaInterop.list(function.inputAggBufferAttributes())),
        List.copyOf(ScalaInterop.list(function.mergeExpressions())));
  }

  /** Returns the buffer of an aggregate whose parts are not joined. */
  public static PartialBuffers unjoined(DeclarativeAggregate function) {
    return new PartialBuffers(
        List.copyOf(ScalaInterop.list(function.aggBufferAttributes())),
        List.copyOf(ScalaInterop.list(function.initialValues())),
        List.copyOf(ScalaInterop.list(function.updateExpressions())),
        List.of(),
        List.of());
  }

  /** Returns the buffers of both. */
  public PartialBuffers and(PartialBuffers that) {
    return new PartialBuffers(
        concat(columns, that.columns),
        concat(initial, that.initial),
        concat(update, that.update),
        concat(others, that.others),
        concat(merge, that.merge));
  }

  private static <T> List<T> concat(List<T> a, List<T> b) {
    List<T> all = new ArrayList<>(a);
    all.addAll(b);
    return List.copyOf(all);
  }

  /** Returns the types of the buffer's columns. */
  public DataType[] types() {
    return columns.stream().map(Attribute::dataType).toArray(DataType[]::new);
  }
}
