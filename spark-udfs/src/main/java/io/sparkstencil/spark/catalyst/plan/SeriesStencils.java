/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import scala.collection.immutable.Seq;

/**
 * Stencils over series of rows: what the logical node and the operator have in common.
 *
 * <p>Spark looks for expressions among the elements of a node and makes nodes anew from them, so
 * that a node has these components as elements of its own, in this order.
 *
 * @param stencils {@link StencilExpression}s over attributes of the rows
 * @param results the columns of their results
 * @param partitionSpec keys of the series; empty if all rows are one series
 * @param orderSpec the order of each series
 * @param ordered whether the rows are in this order already
 * @param engine the name of an engine, or {@code auto}
 */
public record SeriesStencils(
    Seq<Expression> stencils,
    Seq<Attribute> results,
    Seq<Expression> partitionSpec,
    Seq<SortOrder> orderSpec,
    boolean ordered,
    String engine)
    implements Serializable {

  /** The number of components. */
  static final int ELEMENTS = 6;

  /** Refuses what no task could compute while a query is still being planned. */
  public SeriesStencils {
    if (stencils.isEmpty() || stencils.size() != results.size()) {
      throw new IllegalArgumentException(
          "%d stencils have %d results; there must be as many, and one at least"
              .formatted(stencils.size(), results.size()));
    }
  }

  /** Returns a component. */
  Object element(int index) {
    return switch (index) {
      case 0 -> stencils;
      case 1 -> results;
      case 2 -> partitionSpec;
      case 3 -> orderSpec;
      case 4 -> ordered;
      case 5 -> engine;
      default -> throw new IndexOutOfBoundsException(index);
    };
  }

  /** Returns the columns of rows with their results. */
  Seq<Attribute> output(Seq<Attribute> rows) {
    return ScalaInterop.concat(rows, results);
  }

  /** Returns the columns that are in no input. */
  AttributeSet produced() {
    return AttributeSet$.MODULE$.apply(ScalaInterop.<Expression>seq(ScalaInterop.list(results)));
  }

  /** Tells whether the rows of each series have to be brought together. */
  boolean isGrouped() {
    return !partitionSpec.isEmpty() && !ordered;
  }

  /** Returns the order of the series' keys. */
  Seq<SortOrder> keyOrder() {
    List<SortOrder> keys = new ArrayList<>();
    ScalaInterop.list(partitionSpec).forEach(key -> keys.add(DatasetPlans.ascending(key)));
    return ScalaInterop.seq(keys);
  }

  /** Returns the order of the series' keys and, within a series, of its rows. */
  Seq<SortOrder> fullOrder() {
    return ScalaInterop.concat(keyOrder(), orderSpec);
  }
}
