/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Descending$;
import org.apache.spark.sql.catalyst.expressions.NullOrdering;
import org.apache.spark.sql.catalyst.expressions.NullsLast$;
import org.apache.spark.sql.catalyst.expressions.SortDirection;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.execution.SparkPlan;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.collection.immutable.Seq;

/** Whether rows of partitions are in order. */
@WithSpark
final class OrderProbeSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark.conf().set("spark.sql.adaptive.enabled", "false");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id                                  | k             | true",
        "-id                                 | k             | false",
        "-id                                 | k desc        | true",
        "id div 7                            | k             | true",
        "if(id = 899, 0, id)                 | k             | false",
        "if(id = 899, 0, -id)                | k desc        | false",
        "if(id < 3, null, id)                | k             | true",
        "if(id < 3, null, id)                | k nulls last  | false",
        "if(id = 899, null, id)              | k             | false",
        "if(id = 3, null, if(id < 3, 0, id)) | k             | false",
        "cast(null as bigint)                | k             | true",
        "id div 7                            | k, id         | true",
        "id div 7                            | k, id desc    | false",
        "cast(id + 1000 as string)           | k             | true",
        "cast(id as string)                  | k             | false",
        "bigint('-9223372036854775808') + id | k             | true"
      })
  void onlyRowsInOrderAre(String key, String order, boolean expected) {
    SparkPlan rows = plan(spark.range(0, 900, 1, 3).selectExpr("id", key + " as k", "id as other"));

    List<OrderProbe.Found> found = OrderProbe.of(rows, order(rows, order), RowPlacement.own(false));

    assertThat(found.stream().allMatch(OrderProbe.Found::inOrder)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id                                                       | k     | false",
        "if(id = 899, 898, id)                                    | k     | true",
        "if(id = 0, null, id)                                     | k     | false",
        "if(id < 2, null, id)                                     | k     | true",
        "cast(if(id = 899, 898, id) + 1000 as string)             | k     | true",
        "cast(id + 1000 as string)                                | k     | false",
        "id div 7                                                 | k, id | false",
        "if(id = 1, -0.0D, cast(if(id < 2, 0, id) as double))     | k     | true"
      })
  void tiesAndRowsOfPartitionsInOrderAreFound(String key, String order, boolean expected) {
    SparkPlan rows = plan(spark.range(0, 900, 1, 3).selectExpr("id", key + " as k", "id as other"));

    List<OrderProbe.Found> found = OrderProbe.of(rows, order(rows, order), RowPlacement.own(false));

    assertThat(found).allMatch(OrderProbe.Found::inOrder).allMatch(each -> each.rows() == 300);
    assertThat(found.stream().anyMatch(OrderProbe.Found::ties)).isEqualTo(expected);
  }

  /** Returns an order by columns, as SQL has it. */
  private static Seq<SortOrder> order(SparkPlan rows, String text) {
    List<SortOrder> order = new ArrayList<>();
    for (String each : text.split(", ")) {
      String[] words = each.split(" ");
      Attribute column =
          ScalaInterop.list(rows.output()).stream()
              .filter(attribute -> attribute.name().equals(words[0]))
              .findFirst()
              .orElseThrow();
      SortDirection direction = each.endsWith("desc") ? Descending$.MODULE$ : Ascending$.MODULE$;
      NullOrdering nulls =
          each.endsWith("nulls last") ? NullsLast$.MODULE$ : direction.defaultNullOrdering();
      order.add(new SortOrder(column, direction, nulls, ScalaInterop.seqOf()));
    }
    return ScalaInterop.seq(order);
  }

  private static SparkPlan plan(Dataset<Row> rows) {
    return ((org.apache.spark.sql.classic.Dataset<Row>) rows).queryExecution().executedPlan();
  }
}
