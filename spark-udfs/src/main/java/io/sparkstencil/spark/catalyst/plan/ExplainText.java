/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import scala.collection.immutable.Seq;

/** What {@code EXPLAIN} says about stencils. */
final class ExplainText {
  private ExplainText() {}

  /** Returns stencils with the names of their results, at most {@code most} of them. */
  static String calls(Seq<Expression> stencils, Seq<Attribute> results, int most) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < Math.min(stencils.size(), most); i++) {
      texts.add(stencils.apply(i) + " AS " + results.apply(i));
    }
    if (stencils.size() > most) {
      texts.add("... %d more".formatted(stencils.size() - texts.size()));
    }
    return texts.toString();
  }

  /** Returns the keys of the series and their order. */
  static String order(Seq<Expression> keys, Seq<SortOrder> order) {
    String by = ", order by " + order.mkString("[", ", ", "]");
    return keys.isEmpty() ? by : ", partition by " + keys.mkString("[", ", ", "]") + by;
  }
}
