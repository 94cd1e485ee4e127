/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.CellOrder;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every boundary and reduction against a scalar computation on the whole series. */
@WithSpark
final class BoundarySparkTest {
  private static final String[] BOUNDARIES = {
    "valid", "shrink", "constant:-3.25", "nearest", "reflect", "mirror", "wrap"
  };
  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
    spark.conf().set("spark.sql.adaptive.enabled", false);
  }

  private static Stencil stencil(Reduction reduction, Frame frame, Boundary boundary) {
    Stencil plain =
        switch (reduction) {
          case SUM -> Stencil.sum(frame);
          case MEAN -> Stencil.mean(frame);
          case MIN -> Stencil.min(frame);
          case MAX -> Stencil.max(frame);
          case COUNT -> Stencil.count(frame);
          case WEIGHTED_SUM -> Stencil.weighted(frame, weights(frame).toArray());
        };
    return plain.withBoundary(boundary);
  }

  private static Weights weights(Frame frame) {
    double[] weights = new double[frame.width()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = 0.25 * (i - 1) + 0.1;
    }
    return Weights.of(weights);
  }

  /** Returns the value at {@code at} by the definition, or null. */
  private static Object oracle(Double[] series, int at, Stencil stencil) {
    double sum = 0;
    long count = 0;
    Double least = null;
    Double greatest = null;
    boolean nullTap = false;
    boolean whole = true;
    Frame frame = stencil.frame();
    for (int offset = -frame.preceding(); offset <= frame.following(); offset++) {
      long position = (long) at + offset;
      long source = stencil.boundary().sourceIndex(position, series.length);
      boolean inside = position >= 0 && position < series.length;
      whole &= inside;
      if (source < 0 && stencil.boundary().leavesMissing()) {
        continue;
      }
      Double cell = source < 0 ? (Double) stencil.boundary().constant() : series[(int) source];
      if (cell == null) {
        nullTap = true;
        continue;
      }
      count++;
      sum +=
          stencil.reduction() == Reduction.WEIGHTED_SUM
              ? cell * stencil.weights().get(offset + frame.preceding())
              : cell;
      least = least == null || CellOrder.less(cell, least) ? cell : least;
      greatest = greatest == null || CellOrder.less(greatest, cell) ? cell : greatest;
    }
    if (stencil.boundary().equals(Boundary.VALID) && !whole) {
      return null;
    }
    Object value =
        switch (stencil.reduction()) {
          case SUM -> sum;
          case MEAN -> sum / count;
          case MIN -> least;
          case MAX -> greatest;
          case COUNT -> count;
          case WEIGHTED_SUM -> nullTap ? null : (Object) sum;
        };
    return count == 0 && stencil.reduction() != Reduction.COUNT ? null : value;
  }

  private static Double[] series(int length) {
    Random random = new Random(length);
    Double[] series = new Double[length];
    for (int i = 0; i < length; i++) {
      series[i] =
          switch (random.nextInt(16)) {
            case 0 -> null;
            case 1 -> Double.NaN;
            case 2 -> -0.0;
            default -> random.nextGaussian();
          };
    }
    return series;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 200})
  void everyBoundaryAndReductionOnTheWholeSeries(int partitions) {
    spark.conf().set("spark.sql.shuffle.partitions", partitions);
    StructType schema =
        new StructType().add("t", DataTypes.IntegerType).add("v", DataTypes.DoubleType);
    for (int length : partitions == 200 ? new int[] {61} : new int[] {1, 5, 310}) {
      Double[] series = series(length);
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < length; i++) {
        rows.add(RowFactory.create(i, series[i]));
      }
      java.util.Collections.shuffle(rows, new Random(1));
      Dataset<Row> table = spark.createDataFrame(rows, schema);
      StencilQuery query = Stencils.over(table).orderBy("t");
      List<Stencil> stencils = new ArrayList<>();
      for (Frame frame :
          List.of(Frame.radius(1), Frame.precedingFollowing(9, 4), Frame.radius(50))) {
        for (String boundary : BOUNDARIES) {
          for (Reduction reduction : Reduction.values()) {
            stencils.add(stencil(reduction, frame, Boundary.parse(boundary)));
            query = query.apply("v", stencils.get(stencils.size() - 1), "r" + stencils.size());
          }
        }
      }
      List<Row> results = query.toDataset().collectAsList();
      assertThat(results).hasSize(length);
      for (int i = 0; i < length; i++) {
        for (int s = 0; s < stencils.size(); s++) {
          assertThat(results.get(i).get(2 + s))
              .as("row %d of %d, %s", i, length, stencils.get(s))
              .isEqualTo(oracle(series, i, stencils.get(s)));
        }
      }
    }
  }

  /** Frames whose results do not depend on how far beyond the series they reach. */
  private static List<Stencil> beyondTheSeries(int radius) {
    Frame frame = Frame.radius(radius);
    List<Stencil> stencils = new ArrayList<>();
    for (Stencil each : List.of(Stencil.sum(frame), Stencil.mean(frame), Stencil.count(frame))) {
      stencils.add(each);
      stencils.add(each.withBoundary(Boundary.VALID));
    }
    for (Stencil each : List.of(Stencil.min(frame), Stencil.max(frame))) {
      for (String boundary : List.of("shrink", "valid", "constant:-0.0", "nearest")) {
        stencils.add(each.withBoundary(Boundary.parse(boundary)));
      }
    }
    return stencils;
  }

  private static List<Row> results(StencilQuery query, int radius) {
    StencilQuery all = query;
    List<Stencil> stencils = beyondTheSeries(radius);
    for (int s = 0; s < stencils.size(); s++) {
      all = all.apply("v", stencils.get(s), "r" + s);
    }
    return all.toDataset().orderBy("t").collectAsList();
  }

  @Test
  void theWidestFramesOverAHundredRowsNeedNoMoreThanTheRows() {
    spark.conf().set("spark.sql.shuffle.partitions", 3);
    Double[] series = series(100);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < series.length; i++) {
      rows.add(RowFactory.create(i, i % 3, series[i]));
    }
    StructType schema =
        new StructType()
            .add("t", DataTypes.IntegerType)
            .add("k", DataTypes.IntegerType)
            .add("v", DataTypes.DoubleType);
    Dataset<Row> table = spark.createDataFrame(rows, schema).repartition(4).cache();
    Dataset<Row> inOrder = table.coalesce(1).sortWithinPartitions("t");
    for (StencilQuery query :
        List.of(
            Stencils.over(table).orderBy("t"),
            Stencils.over(table).orderBy("t").partitionBy("k"),
            Stencils.over(inOrder).orderBy("t").ordered())) {
      assertThat(results(query, Frame.MAX_REACH)).isEqualTo(results(query, 100));
    }
    JavaRDD<double[]> blocks =
        new JavaSparkContext(spark.sparkContext())
            .parallelize(List.of(new double[] {1, 2}, new double[] {4}), 2);
    Stencil mean = Stencil.mean(Frame.radius(Frame.MAX_REACH));
    assertThat(flat(Stencils.over(blocks, double[].class).blocks(mean).collect()))
        .containsExactly(7 / 3.0, 7 / 3.0, 7 / 3.0);
    assertThat(flat(Stencils.over(blocks, double[].class).independent(mean).collect()))
        .containsExactly(1.5, 1.5, 4.0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"valid", "shrink", "constant:-3.25", "nearest", "reflect", "mirror", "wrap"})
  void blocksOfOneSeriesAndSeriesOfTheirOwn(String boundary) {
    JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
    Random random = new Random(7);
    for (int total : new int[] {0, 3, 400, 100_000}) {
      List<double[]> blocks = new ArrayList<>();
      List<Double> all = new ArrayList<>();
      while (all.size() < total) {
        int most = Math.min(total - all.size(), random.nextInt(total > 1000 ? 70_000 : 40));
        double[] block = random.doubles(most).toArray();
        blocks.add(block);
        for (double cell : block) {
          all.add(cell);
        }
      }
      Stencil stencil =
          Stencil.mean(Frame.precedingFollowing(31, 12)).withBoundary(Boundary.parse(boundary));
      JavaRDD<double[]> rdd = context.parallelize(blocks, 7);
      assertThat(flat(Stencils.over(rdd, double[].class).blocks(stencil).collect()))
          .isEqualTo(expected(all.toArray(Double[]::new), stencil));
      List<Double> own = new ArrayList<>();
      for (double[] block : blocks) {
        own.addAll(
            expected(java.util.Arrays.stream(block).boxed().toArray(Double[]::new), stencil));
      }
      assertThat(flat(Stencils.over(rdd, double[].class).independent(stencil).collect()))
          .isEqualTo(own);
    }
  }

  private static List<Double> expected(Double[] series, Stencil stencil) {
    List<Double> expected = new ArrayList<>();
    for (int i = 0; i < series.length; i++) {
      Object value = oracle(series, i, stencil);
      if (value != null) {
        expected.add((Double) value);
      }
    }
    return expected;
  }

  private static List<Double> flat(List<double[]> blocks) {
    List<Double> flat = new ArrayList<>();
    blocks.forEach(block -> java.util.Arrays.stream(block).forEach(flat::add));
    return flat;
  }

  @Test
  void blocksKeepTheirLengths() {
    JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
    List<float[]> blocks = List.of(new float[] {1, 2}, new float[0], new float[] {3, 4, 5});
    List<float[]> result =
        Stencils.over(context.parallelize(blocks, 3), float[].class)
            .blocks(Stencil.sum(Frame.precedingFollowing(1, 0)))
            .collect();
    assertThat(result).containsExactly(new float[] {1, 3}, new float[0], new float[] {5, 7, 9});
  }

  @Test
  void badQueriesAreRefusedBeforeAnythingRuns() {
    Dataset<Row> table = spark.sql("select 1 as t, 2.0D as v, 'x' as name, 1.5 as price");
    StencilQuery query = Stencils.over(table).orderBy("t");
    assertThatThrownBy(() -> query.mean("w", 1, "m").toDataset())
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("column \"w\" is not there; there are t, v, name, price");
    assertThatThrownBy(() -> query.mean("name", 1, "m").toDataset())
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("\"name\" is string");
    assertThatThrownBy(() -> query.mean("price", 1, "m").toDataset())
        .hasMessageContaining("decimal(2,1)");
    assertThatThrownBy(() -> query.mean("v", 1, "v").toDataset())
        .hasMessageContaining("there is a column \"v\" already");
    assertThatThrownBy(() -> query.mean("v", 1, "m").mean("v", 2, "M").toDataset())
        .hasMessageContaining("there is a column \"M\" already");
    assertThatThrownBy(() -> Stencils.over(table).mean("v", 1, "m").toDataset())
        .hasMessageContaining("order by");
    assertThatThrownBy(() -> query.toDataset()).hasMessageContaining("there is no stencil");
    assertThatThrownBy(() -> query.engine("fpga")).hasMessageContaining("unknown engine \"fpga\"");
    assertThatThrownBy(() -> query.mean("v", -1, "m")).hasMessageContaining("radius -1");
  }
}
