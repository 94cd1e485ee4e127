/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.RowBits;
import io.sparkstencil.spark.Sessions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.ShuffleDataBlockId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The files of a shared shuffle go when the run of the query ends, without the collector's help.
 */
final class SharedRangesReleaseSparkTest {
  private static final String SQL =
      """
      select id, sum(v) over (order by t rows 3 preceding) as s from cells
      union all select id, max(v) over (order by t rows 2 preceding) from cells
      """;

  private SparkSession spark;
  private List<String> expected;
  private Set<Integer> before;

  @BeforeEach
  void start() throws Exception {
    spark = Sessions.local();
    spark
        .range(0, 1500, 1, 3)
        .selectExpr("id", "pmod(id * 7919, 1511) as t", "id % 17 as v")
        .createOrReplaceTempView("cells");
    expected = RowBits.sorted(spark.sql(SQL));
    spark.conf().set("spark.stencil.sql.enabled", "true");
    before = registered(); // what Spark's own windows have shuffled
  }

  @AfterEach
  void stop() {
    spark.stop();
  }

  private static Set<Integer> registered() {
    Set<Integer> ids = new HashSet<>();
    CollectionConverters.asJava(
            ((MapOutputTrackerMaster) SparkEnv.get().mapOutputTracker()).shuffleStatuses())
        .keySet()
        .forEach(id -> ids.add((Integer) id));
    return ids;
  }

  /** Returns the shuffles of this test that are registered, or have files left. */
  private Set<Integer> shuffles() {
    Set<Integer> ids = registered();
    CollectionConverters.asJava(SparkEnv.get().blockManager().diskBlockManager().getAllBlocks())
        .forEach(
            block -> {
              if (block instanceof ShuffleDataBlockId data) {
                ids.add(data.shuffleId());
              }
            });
    ids.removeAll(before);
    return ids;
  }

  /** Waits for what the end of a run has set off. */
  private void awaitShuffles(int wanted) throws Exception {
    spark.sparkContext().listenerBus().waitUntilEmpty();
    for (int tries = 0; shuffles().size() != wanted && tries < 500; tries++) {
      Thread.sleep(20);
    }
    assertThat(shuffles()).hasSize(wanted);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void filesGoWithTheRunAndComeBackWithTheNext(boolean adaptive) throws Exception {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    Dataset<Row> query = spark.sql(SQL);
    for (int run = 0; run < 2; run++) {
      assertThat(RowBits.sorted(query)).isEqualTo(expected);
      awaitShuffles(0);
    }
    assertThat(query.collectAsList()).hasSize(3000);
    assertThat(query.collectAsList()).hasSize(3000);
    awaitShuffles(0);
  }

  @Test
  void cachedRowsKeepTheirFiles() throws Exception {
    Dataset<Row> cached = spark.sql(SQL).cache();
    assertThat(cached.limit(1).collectAsList()).hasSize(1); // of one partition alone
    awaitShuffles(1);
    assertThat(RowBits.sorted(cached)).isEqualTo(expected);
    awaitShuffles(1);
  }

  @Test
  void rowsThatAreTakenOneByOneComeAfterTheRun() throws Exception {
    Dataset<Row> query = spark.sql(SQL);
    int rows = 0;
    for (var each = query.toLocalIterator(); each.hasNext(); each.next()) {
      rows++;
    }
    assertThat(rows).isEqualTo(3000);
  }
}
