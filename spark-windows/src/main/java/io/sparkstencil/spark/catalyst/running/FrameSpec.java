/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Seq;

/**
 * Functions whose frames end with the same row.
 *
 * @param columns the columns of their buffers
 * @param first where these begin in {@link RunningStart#buffers}
 * @param update the values of the buffers after a row, of the buffers and the row
 * @param evaluate the results, of the buffers
 * @param results the columns of the results
 * @param input the columns of the rows
 */
record FrameSpec(
    List<Attribute> columns,
    int first,
    List<Expression> update,
    List<Expression> evaluate,
    List<Attribute> results,
    Seq<Attribute> input)
    implements Serializable {

  boolean isEmpty() {
    return results.isEmpty();
  }

  DataType[] types() {
    return columns.stream().map(Attribute::dataType).toArray(DataType[]::new);
  }

  StructType inputSchema() {
    return DataTypeUtils.fromAttributes(input);
  }

  StructType resultSchema() {
    return DataTypeUtils.fromAttributes(ScalaInterop.seq(results));
  }

  /** Returns the columns of the rows with their results. */
  Seq<Attribute> output() {
    return ScalaInterop.concat(input, ScalaInterop.seq(results));
  }
}
