/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Seq;

/** Windows that were planned with columns of results have them, whatever options say later. */
@WithSpark(options = "spark.stencil.sql.enabled=true")
final class PackedWindowsSparkTest {
  @Test
  @SuppressWarnings("unchecked")
  void windowsThatAreNoLoopsArePackedIntoColumns(SparkSession spark) {
    spark.conf().set("spark.sql.adaptive.enabled", false);
    String sql =
        """
        select id, collect_list(id) over (partition by k order by id) as ids
        from (select id, id % 7 as k from range(0, 500, 1, 3))
        """;
    StencilExec rows =
        WindowPlans.windows(WindowPlans.plan(spark.sql(sql)), WindowPlace.SERIES).get(0);
    assertThat(rows.supportsColumnar()).isFalse();
    StencilExec columns =
        new StencilExec(
            (Seq<NamedExpression>) rows.elements().get(0),
            (Seq<Expression>) rows.elements().get(1),
            (Seq<SortOrder>) rows.elements().get(2),
            WindowPlace.SERIES,
            (String) rows.elements().get(4),
            SeriesWay.COLUMNS,
            rows.child());
    InternalRow[] packed = new ColumnarToRowExec(columns).executeCollect();
    assertThat(packed).hasSize(500);
    assertThat(List.of(packed)).containsExactlyInAnyOrder(rows.executeCollect());
  }
}
