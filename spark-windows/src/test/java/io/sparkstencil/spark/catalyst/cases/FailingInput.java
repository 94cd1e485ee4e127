/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import static org.apache.spark.sql.functions.expr;

import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;

/** A column that cannot be computed in one row, in ANSI mode or always. */
final class FailingInput {
  private static final List<String> COLUMNS = List.of("i", "l", "s", "g", "t", "d");

  private static final List<String> EXPRESSIONS =
      List.of(
          "cast(if(id = $K, 'x', cast($C as string)) as $T)",
          "cast(if(id = $K, 1 div (id - $K), $C) as $T)",
          "cast(if(id = $K, 9223372036854775807 + id + 1, $C) as $T)",
          "cast(if(id = $K, array(1)[cast(id as int) + 1], $C) as $T)",
          "if(id = $K, cast(raise_error('wrong row') as $T), $C)",
          "if(assert_true(id <> $K, 'no such row') is null, $C, null)",
          "cast(if(id = $K, unwilling(id), $C) as $T)",
          "cast(if(id = $K, to_date('no date', 'yyyy'), null) is null as int) + $C");

  private FailingInput() {}

  /** Registers the function of users that fails. */
  static void register(SparkSession spark) {
    UDF1<Long, Long> unwilling =
        id -> {
          throw new IllegalArgumentException("not this one");
        };
    spark.udf().register("unwilling", unwilling, DataTypes.LongType);
  }

  /** Returns the table with a row that fails, if it has rows. */
  static Dataset<Row> in(Dataset<Row> table, Random random) {
    String column = COLUMNS.get(random.nextInt(COLUMNS.size()));
    String expression = EXPRESSIONS.get(random.nextInt(EXPRESSIONS.size()));
    String type = table.schema().apply(column).dataType().sql();
    return table.withColumn(
        column,
        expr(
            expression
                .replace("$K", String.valueOf(random.nextInt(20)))
                .replace("$C", column)
                .replace("$T", type)));
  }
}
