/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.BufferProjection;
import io.sparkstencil.spark.catalyst.frames.PartialBuffers;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import scala.collection.immutable.Seq;

/**
 * Functions whose frames go from a row to the last of the series.
 *
 * @param buffers what is aggregated of parts, and how these are joined
 * @param evaluate the results, of the buffers
 * @param results the columns of the results
 * @param input the columns of the rows
 */
record RestSpec(
    PartialBuffers buffers,
    List<Expression> evaluate,
    List<Attribute> results,
    Seq<Attribute> input)
    implements Serializable {

  /**
   * Returns functions.
   *
   * @param results the columns of their results
   * @param input the columns of the rows
   */
  static RestSpec of(
      List<SuffixAggregate> functions, List<Attribute> results, Seq<Attribute> input) {
    PartialBuffers buffers = PartialBuffers.NONE;
    List<Expression> evaluate = new ArrayList<>();
    for (SuffixAggregate each : functions) {
      buffers = buffers.and(each.partial());
      evaluate.add(each.result());
    }
    return new RestSpec(buffers, evaluate, results, input);
  }

  /** Returns the buffers of no rows. */
  InternalRow none() {
    return new GenericInternalRow(
        buffers.initial().stream().map(each -> each.eval(null)).toArray());
  }

  /** Returns what takes a row into buffers. */
  MutableProjection update() {
    return BufferProjection.of(
        buffers.update(), ScalaInterop.concat(ScalaInterop.seq(buffers.columns()), input));
  }

  /** Returns what joins buffers with those of later rows. */
  MutableProjection merge() {
    return BufferProjection.of(
        buffers.merge(),
        ScalaInterop.concat(
            ScalaInterop.seq(buffers.columns()), ScalaInterop.seq(buffers.others())));
  }
}
