/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.spark.SparkConf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** More partitions than Spark writes files for lie in one file. */
final class BatchPartitionerTest {
  private static SparkConf filesFor(int partitions) {
    return new SparkConf(false)
        .set("spark.shuffle.sort.bypassMergeThreshold", Integer.toString(partitions));
  }

  @ParameterizedTest
  @CsvSource({
    "200, 5, 5, 201",
    "200, 17, 201, 201",
    "200, 1000, 1000, 1000",
    "16383, 17, 16384, 16384",
    "16384, 17, 17, 17",
    "1000000000, 17, 17, 17",
    "2147483647, 17, 17, 17",
    "-1, 17, 17, 17"
  })
  void emptyPartitionsMakeItOneFileUnlessTheyWereVeryMany(
      int files, int partitions, int batches, int rows) {
    assertThat(BatchPartitioner.of(partitions, filesFor(files)).numPartitions()).isEqualTo(batches);
    assertThat(BatchPartitioner.inOneFile(partitions, filesFor(files)).numPartitions())
        .isEqualTo(rows);
  }
}
