/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.catalyst.plan.WindowPlans;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Buffers keep strings of any collation when the rows that they came from are gone. Spark itself
 * copies those of the default one, and the others only where it generates code.
 */
@WithSpark
final class CollatedBuffersSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark.conf().set("spark.sql.codegen.wholeStage", "false");
    spark
        .sql(
            """
            select id, pmod(id * 7919, 3011) as t, id % 7 as k, named_struct('k', id % 7) as nested,
              if(id % 5 < 3, null, concat(repeat('ab', cast(pmod(hash(id), 9) as int)), id)) as text
            from range(0, 1201, 1, 3)
            """)
        .createOrReplaceTempView("cells");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "order by t | rows unbounded preceding",
        "order by t | range unbounded preceding",
        "order by t | rows between unbounded preceding and unbounded following",
        "order by t | rows between current row and unbounded following",
        "order by t | rows between 3 preceding and 2 following",
        "order by t | range between 9 preceding and 9 following",
        "partition by k order by t | rows unbounded preceding",
        "partition by k order by t | range unbounded preceding",
        "partition by k order by t | rows between unbounded preceding and unbounded following",
        "partition by k order by t | rows between current row and unbounded following",
        "partition by k order by t | rows between 3 preceding and 2 following",
        "partition by nested order by t | rows unbounded preceding",
        "partition by nested order by t | rows between 3 preceding and 2 following",
        "partition by 1 order by t | rows unbounded preceding"
      })
  void theyAreTheSameAsSparks(String window, String frame) {
    for (String collation : new String[] {"utf8_lcase", "unicode_ci"}) {
      spark
          .conf()
          .set(
              "spark.sql.codegen.factoryMode",
              collation.equals("utf8_lcase") ? "NO_CODEGEN" : "FALLBACK");
      String text = "text collate " + collation;
      WindowPlans.sameAsSpark(
          spark,
          """
            select id, min(%1$s) over w as a, max(%1$s) over w as b, first(%1$s) over w as c,
              last(%1$s) ignore nulls over w as d, nth_value(%1$s, 4) ignore nulls over w as e,
              max_by(%1$s, id) over w as f, lag(%1$s, 2, 'none' collate %4$s) over v as g,
              last(struct(%1$s)) over w as h, max(text) over w as i
            from cells window w as (%2$s %3$s), v as (%2$s)
            """
              .formatted(text, window, frame, collation));
    }
  }
}
