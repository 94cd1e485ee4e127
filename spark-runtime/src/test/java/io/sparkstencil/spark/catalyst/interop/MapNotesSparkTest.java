/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.Sessions;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.HashPartitioner;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Tuple2;

/** Notes are those of the tasks whose output is read in the end. */
final class MapNotesSparkTest {
  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark = Sessions.builder("local[1]").getOrCreate(); // so that tasks run one after the other
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  /** Where rows need not come again as they were, Spark runs all tasks of a stage again. */
  @ParameterizedTest
  @CsvSource({"true, 0", "false, 1"})
  void tasksThatRunAgainReplaceTheirNotes(boolean determinate, int attempt) {
    JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
    JavaRDD<Integer> rows = context.parallelize(List.of(1, 2, 3, 4), 2).repartition(2);
    JavaPairRDD<Integer, Integer> shuffled =
        paired(determinate ? rows : rows.repartition(2)).partitionBy(new HashPartitioner(2));
    int shuffle = ((ShuffleDependency<?, ?, ?>) shuffled.rdd().dependencies().apply(0)).shuffleId();
    MapNotes<Integer> notes = new MapNotes<>(spark.sparkContext());
    MapNotes.Target<Integer> target = notes.target();
    JavaRDD<Integer> noted =
        shuffled
            .values()
            .mapPartitionsWithIndex((map, each) -> noting(map, each, shuffle, target), true);
    assertThat(paired(noted).partitionBy(new HashPartitioner(3)).count()).isEqualTo(4);
    assertThat(notes.all()).containsExactlyInAnyOrder(attempt, 1);
  }

  private static JavaPairRDD<Integer, Integer> paired(JavaRDD<Integer> rows) {
    return rows.mapToPair(row -> new Tuple2<>(row, row));
  }

  /** Notes the attempt of the stage; in the first one, the second task finds no input. */
  private static Iterator<Integer> noting(
      int map, Iterator<Integer> rows, int shuffle, MapNotes.Target<Integer> target)
      throws FetchFailedException {
    int attempt = TaskContext.get().stageAttemptNumber();
    if (map == 1 && attempt == 0) {
      throw new FetchFailedException(null, shuffle, -1L, -1, map, "lost", null);
    }
    target.add(map, attempt);
    return rows;
  }
}
