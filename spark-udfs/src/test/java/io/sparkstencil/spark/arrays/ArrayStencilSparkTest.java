/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.BlockQuery;
import io.sparkstencil.spark.Stencils;
import io.sparkstencil.spark.WithSpark;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** Arrays in RDDs. */
@WithSpark
final class ArrayStencilSparkTest {
  private static final Stencil MEAN =
      Stencil.mean(Frame.precedingFollowing(2, 1)).withBoundary(Boundary.VALID);

  private static JavaSparkContext spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = new JavaSparkContext(session.sparkContext());
  }

  private static List<float[]> arrays() {
    Random random = new Random(7);
    return IntStream.range(0, 200)
        .mapToObj(
            i -> {
              float[] array = new float[i % 50 == 49 ? 70_000 : random.nextInt(60)];
              for (int j = 0; j < array.length; j++) {
                array[j] = random.nextFloat();
              }
              return array;
            })
        .toList();
  }

  private static float[] expected(float[] array) {
    float[] results = new float[Math.max(0, array.length - 3)];
    for (int i = 0; i < results.length; i++) {
      float sum = 0;
      for (int j = i; j < i + 4; j++) {
        sum += array[j];
      }
      results[i] = sum / 4;
    }
    return results;
  }

  @Test
  void arraysAreSeriesOfTheirOwn() {
    List<float[]> arrays = arrays();
    JavaRDD<float[]> rdd = spark.parallelize(arrays, 3);
    List<float[]> results = ArrayStencil.ofFloats(MEAN).apply(rdd).collect();
    assertThat(results).hasSameSizeAs(arrays);
    for (int i = 0; i < arrays.size(); i++) {
      assertThat(results.get(i)).isEqualTo(expected(arrays.get(i)));
    }
  }

  @Test
  void valuesOfPairsKeepTheirKeysAndPartitions() {
    List<Tuple2<Integer, float[]>> pairs =
        IntStream.range(0, 50).mapToObj(i -> new Tuple2<>(i, arrays().get(i))).toList();
    JavaPairRDD<Integer, float[]> rdd =
        spark.parallelizePairs(pairs, 2).partitionBy(new org.apache.spark.HashPartitioner(3));
    JavaPairRDD<Integer, float[]> results = ArrayStencil.ofFloats(MEAN).applyToValues(rdd);
    assertThat(results.partitioner()).isEqualTo(rdd.partitioner());
    List<Tuple2<Integer, float[]>> collected = results.collect();
    assertThat(collected).hasSameSizeAs(pairs);
    for (Tuple2<Integer, float[]> result : collected) {
      assertThat(result._2()).isEqualTo(expected(pairs.get(result._1())._2()));
    }
  }

  @Test
  void iteratorsWorkInsideAndOutsideOfTasks() {
    List<float[]> arrays = arrays();
    ArrayStencil<float[], float[]> mean = ArrayStencil.ofFloats(MEAN).withEngine("cpu");
    Iterator<float[]> outside = mean.apply(arrays.iterator());
    for (float[] array : arrays) {
      assertThat(outside.next()).isEqualTo(expected(array));
    }
    assertThat(outside.hasNext()).isFalse();
    long longer =
        spark
            .parallelize(arrays, 2)
            .mapPartitions(some -> mean.apply(some))
            .filter(array -> array.length > 1000)
            .count();
    assertThat(longer).isEqualTo(4);
  }

  @Test
  void doublesIntsStepsAndNullsWork() {
    double[] ramp = {1, 2, 3, 4, 5};
    Stencil sum = Stencil.sum(Frame.radius(1)).withBoundary(Boundary.VALID);
    Iterator<double[]> twice =
        ArrayStencil.ofDoubles(sum).withSteps(2).apply(Arrays.asList(ramp, null).iterator());
    assertThat(twice.next()).containsExactly(27);
    assertThat(twice.next()).isNull();
    Stencil ahead = Stencil.max(Frame.offsets(1, 1)).withBoundary(Boundary.SHRINK);
    assertThat(ArrayStencil.ofDoubles(ahead).apply(List.of(ramp).iterator()).next())
        .containsExactly(2, 3, 4, 5, Double.NaN);
    assertThat(
            ArrayStencil.of(int[].class, long[].class, sum)
                .apply(List.of(new int[] {1, 2, 3}).iterator())
                .next())
        .containsExactly(6L);
    assertThat(ArrayStencil.ofInts(ahead).apply(List.of(new int[] {7, 5}).iterator()).next())
        .containsExactly(5, 0);
    assertThat(ArrayStencil.ofLongs(ahead).apply(List.of(new long[] {8, 9}).iterator()).next())
        .containsExactly(9, 0);
  }

  /** The types are those of the SQL functions, whose mean of integers is a double. */
  @Test
  void resultsHaveTheTypesOfTheFunctions() {
    Stencil mean = Stencil.mean(Frame.radius(1));
    JavaRDD<int[]> ints = spark.parallelize(List.of(new int[] {1, 2, 6}, new int[] {-3}), 2);
    assertThat(Stencils.over(ints, int[].class).independent(mean, double[].class).collect())
        .containsExactly(new double[] {1.5, 3, 4}, new double[] {-3});
    assertThat(Stencils.over(ints, int[].class).blocks(mean, double[].class).collect())
        .containsExactly(new double[] {1.5, 3, 5 / 3.0}, new double[] {1.5});
    Stencil sum = Stencil.sum(Frame.radius(1));
    JavaRDD<int[]> large = spark.parallelize(List.of(new int[] {1 << 30, 1 << 30}), 1);
    assertThat(Stencils.over(large, int[].class).blocks(sum, long[].class).collect())
        .containsExactly(new long[] {1L << 31, 1L << 31});
    JavaRDD<long[]> longs = spark.parallelize(List.of(new long[] {1L << 53, 1, 1}), 1);
    Stencil weighted = Stencil.weighted(Frame.radius(0), 0.5);
    assertThat(Stencils.over(longs, long[].class).blocks(weighted, double[].class).collect())
        .containsExactly(new double[] {0x1p52, 0.5, 0.5});
    JavaRDD<float[]> floats = spark.parallelize(List.of(new float[] {1.5f, Float.NaN}), 1);
    Stencil count = Stencil.count(Frame.radius(1)).withBoundary(Boundary.constant(0.5));
    assertThat(Stencils.over(floats, float[].class).blocks(count, int[].class).collect())
        .containsExactly(new int[] {3, 3});
  }

  @Test
  void refusesResultsOfAnotherType() {
    Stencil mean = Stencil.mean(Frame.radius(1));
    JavaRDD<int[]> ints = spark.parallelize(List.of(new int[] {1, 2, 6}), 1);
    BlockQuery<int[]> query = Stencils.over(ints, int[].class);
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> query.independent(mean),
            () -> query.blocks(mean),
            () -> ArrayStencil.ofInts(mean),
            () -> ArrayStencil.of(int[].class, int[].class, mean))) {
      assertThatThrownBy(call)
          .isInstanceOf(InvalidStencilException.class)
          .hasMessage(
              "results of mean are double[] here, not int[]; give double[].class as the class of"
                  + " the results");
    }
  }

  /** Frames wider than the arrays are staged no wider than these, whatever lengths follow. */
  @Test
  void arraysOfAllLengthsUnderAWideFrame() {
    Random random = new Random(9);
    List<double[]> arrays = new ArrayList<>();
    for (int length : new int[] {3, 1, 700, 0, 2, 40, 40_000, 5, 17, 16, 900, 1}) {
      for (int copies = 0; copies < Math.max(1, 60_000 / (length + 20)); copies++) {
        arrays.add(random.doubles(length).toArray());
      }
    }
    Stencil sum = Stencil.sum(Frame.offsets(-600, -2));
    Iterator<double[]> results = ArrayStencil.ofDoubles(sum).apply(arrays.iterator());
    for (double[] cells : arrays) {
      double[] expected = new double[cells.length];
      for (int i = 0; i < cells.length; i++) {
        expected[i] = i < 2 ? Double.NaN : 0;
        for (int j = Math.max(0, i - 600); j <= i - 2; j++) {
          expected[i] += cells[j];
        }
      }
      assertThat(results.next()).containsExactly(expected);
    }
    assertThat(results.hasNext()).isFalse();
  }

  @Test
  void aFailingSourceFailsTheTaskWithItsOwnError() {
    Iterator<float[]> failing =
        new Iterator<>() {
          private int given;

          @Override
          public boolean hasNext() {
            return true;
          }

          @Override
          public float[] next() {
            if (given++ == 3) {
              throw new IllegalStateException("the disk is gone");
            }
            return new float[8];
          }
        };
    Iterator<float[]> results = ArrayStencil.ofFloats(MEAN).apply(failing);
    assertThatThrownBy(results::next).hasMessage("the disk is gone");
  }
}
