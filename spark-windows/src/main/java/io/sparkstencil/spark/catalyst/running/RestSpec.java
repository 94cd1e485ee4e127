/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.BufferProjection;
import io.sparkstencil.spark.catalyst.frames.FrameExtent;
import io.sparkstencil.spark.catalyst.frames.PartialBuffers;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import scala.collection.immutable.Seq;

/**
 * Functions whose frames go from a row to the last of the series.
 *
 * @param buffers what is aggregated of parts, and how these are joined
 * @param evaluate the results, of the buffers
 * @param results the columns of the results
 * @param input the columns of the rows
 * @param order the order of rows if frames begin with the first that ties, or null
 */
record RestSpec(
    PartialBuffers buffers,
    List<Expression> evaluate,
    List<Attribute> results,
    Seq<Attribute> input,
    RowOrder order)
    implements Serializable {

  /**
   * Returns what there is of such functions.
   *
   * @param functions these, and others
   * @param results the columns of their results
   * @param order their order
   * @param input the columns of the rows
   */
  static List<RestSpec> of(
      List<RunningFunction> functions,
      List<Attribute> results,
      Seq<SortOrder> order,
      Seq<Attribute> input) {
    List<RestSpec> specs = new ArrayList<>();
    for (FrameExtent extent : List.of(FrameExtent.REST, FrameExtent.REST_OF_TIES)) {
      PartialBuffers buffers = PartialBuffers.NONE;
      List<Expression> evaluate = new ArrayList<>();
      List<Attribute> made = new ArrayList<>();
      for (int i = 0; i < functions.size(); i++) {
        if (functions.get(i) instanceof SuffixAggregate each && each.extent() == extent) {
          buffers = buffers.and(each.partial());
          evaluate.add(each.result());
          made.add(results.get(i));
        }
      }
      if (!made.isEmpty()) {
        RowOrder ties = extent == FrameExtent.REST ? null : new RowOrder(order, input);
        specs.add(new RestSpec(buffers, evaluate, made, input, ties));
      }
    }
    return specs;
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
