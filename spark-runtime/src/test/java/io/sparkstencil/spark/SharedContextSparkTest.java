/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** What one test changes is not there for the next, and what it leaves is found. */
@WithSpark(options = "spark.sql.session.timeZone=UTC")
final class SharedContextSparkTest {
  @RepeatedTest(2)
  void optionsOfATestEndWithIt(SparkSession spark) {
    assertThat(spark.conf().get("spark.sql.session.timeZone")).isEqualTo("UTC");
    assertThat(spark.conf().get("spark.sql.shuffle.partitions")).isEqualTo("4");
    assertThat(spark.conf().get("spark.stencil.tests.any", "none")).isEqualTo("none");
    spark.conf().unset("spark.sql.session.timeZone");
    spark.conf().set("spark.sql.shuffle.partitions", "7");
    spark.conf().set("spark.stencil.tests.any", "some");
  }

  @Test
  void tablesDoNotOutliveTheirClass(SparkSession spark) throws InterruptedException {
    spark.sql("create database others");
    spark.range(3).write().saveAsTable("kept");
    spark.range(3).write().saveAsTable("others.kept");
    SparkLeaks.check(spark);
    assertThat(spark.catalog().tableExists("kept")).isFalse();
    assertThat(spark.catalog().databaseExists("others")).isFalse();
  }

  @Test
  void keptRddsAreFound(SparkSession spark) {
    JavaRDD<Integer> rdd = new JavaSparkContext(spark.sparkContext()).parallelize(List.of(1));
    rdd.cache().count();
    assertThat(SparkLeaks.left(spark.sparkContext())).contains("1 kept RDDs");
    rdd.unpersist(true);
    assertThat(SparkLeaks.left(spark.sparkContext())).doesNotContain("1 kept RDDs");
  }

  @Test
  void threadsAreFound(SparkSession spark) throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    Thread thread = new EndedWith(end);
    thread.start();
    assertThat(SparkLeaks.left(spark.sparkContext())).contains("the thread stencil-left");
    end.countDown();
    thread.join();
    assertThat(SparkLeaks.left(spark.sparkContext())).isEmpty();
  }

  /** A thread that waits to be told. */
  private static final class EndedWith extends Thread {
    private final CountDownLatch end;

    EndedWith(CountDownLatch end) {
      super("stencil-left");
      this.end = end;
    }

    @Override
    public void run() {
      try {
        end.await();
      } catch (InterruptedException e) {
        interrupt();
      }
    }
  }
}
