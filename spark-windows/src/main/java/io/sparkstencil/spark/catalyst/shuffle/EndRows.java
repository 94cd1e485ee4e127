/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.CellReader;
import io.sparkstencil.spark.catalyst.rows.RowOrder;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import scala.collection.immutable.Seq;

/**
 * Rows as far as an exchange of ends needs them: the columns of their key and of their values.
 *
 * @param columns all columns of a row
 * @param order the order of narrow rows
 * @param cells reads narrow rows
 * @param reach how many rows an end has
 */
public record EndRows(Seq<Attribute> columns, RowOrder order, CellReader cells, int reach)
    implements Serializable {

  /**
   * Returns what is needed of rows.
   *
   * @param order the order of whole rows
   * @param cells reads whole rows
   */
  public static EndRows of(RowOrder order, CellReader cells, int reach) {
    List<Attribute> columns = ScalaInterop.list(order.attributes());
    List<Attribute> kept = new ArrayList<>();
    int[] places = new int[columns.size()];
    for (int i = 0; i < places.length; i++) {
      Attribute column = columns.get(i);
      places[i] = kept.size();
      if (cells.reads(i)
          || order.keyExpressions().stream().anyMatch(key -> key.references().contains(column))) {
        kept.add(column);
      }
    }
    return new EndRows(
        order.attributes(), order.of(ScalaInterop.seq(kept)), cells.at(places), reach);
  }

  /** Returns the projection of whole rows to narrow ones. */
  UnsafeProjection projection() {
    return UnsafeProjection.create(
        ScalaInterop.seq(ScalaInterop.list(order.attributes())), columns);
  }

  /** Returns how narrow rows lie in memory. */
  RowLayout layout() {
    return RowLayout.of(ScalaInterop.list(order.attributes()));
  }
}
