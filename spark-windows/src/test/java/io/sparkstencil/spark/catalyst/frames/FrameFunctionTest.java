/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.TypeUtils$;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.Decimal$;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions of cells that come and go give what a pass over all cells gives, each time. */
final class FrameFunctionTest {
  private static final double[] SPECIAL = {
    0.0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e300, -1e300
  };

  /**
   * A function, and what it has to give.
   *
   * @param type of the cells
   * @param result of the function
   * @param expected the value of cells that are not null, of one at least
   */
  private record Case(
      String name,
      FrameFunction function,
      DataType type,
      DataType result,
      Function<List<Object>, Object> expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.of(integers(), floating(), variances(), decimals(), texts())
        .flatMap(each -> each);
  }

  private static Stream<Case> integers() {
    DataType longs = DataTypes.LongType;
    DataType bytes = DataTypes.ByteType;
    return Stream.of(
        new Case("count", new FrameFunction.Count(), longs, longs, cells -> (long) cells.size()),
        new Case(
            "wrapping sum",
            new LongFunction.WrappingSum(),
            longs,
            longs,
            cells -> cells.stream().mapToLong(each -> (long) each).sum()),
        new Case(
            "least byte",
            new LongFunction.Extreme(KeyType.BYTE, true),
            bytes,
            bytes,
            cells -> cells.stream().map(each -> (byte) each).min(Byte::compare).orElseThrow()),
        new Case(
            "greatest long",
            new LongFunction.Extreme(KeyType.LONG, false),
            longs,
            longs,
            cells -> cells.stream().map(each -> (long) each).max(Long::compare).orElseThrow()));
  }

  private static Stream<Case> floating() {
    DataType doubles = DataTypes.DoubleType;
    DataType floats = DataTypes.FloatType;
    return Stream.of(
        new Case("sum", new DoubleFunction.Sum(), doubles, doubles, FrameFunctionTest::sum),
        new Case(
            "mean",
            new DoubleFunction.Mean(),
            doubles,
            doubles,
            cells -> sum(cells) / cells.size()),
        new Case(
            "least double",
            new DoubleFunction.Extreme(true, false),
            doubles,
            doubles,
            cells -> extreme(cells, -1)),
        new Case(
            "greatest float",
            new DoubleFunction.Extreme(false, true),
            floats,
            floats,
            cells -> extreme(cells, 1)));
  }

  private static Stream<Case> variances() {
    DataType doubles = DataTypes.DoubleType;
    return Stream.of(
        new Case(
            "variance",
            DoubleFunction.Variance.ofAll(false),
            doubles,
            doubles,
            cells -> squares(cells) / cells.size()),
        new Case(
            "variance of a sample",
            DoubleFunction.Variance.ofSample(false, true),
            doubles,
            doubles,
            cells -> cells.size() == 1 ? null : squares(cells) / (cells.size() - 1)),
        new Case(
            "standard deviation of a sample",
            DoubleFunction.Variance.ofSample(true, false),
            doubles,
            doubles,
            cells ->
                cells.size() == 1 ? Double.NaN : Math.sqrt(squares(cells) / (cells.size() - 1))));
  }

  private static Stream<Case> decimals() {
    DecimalType decimals = new DecimalType(18, 2);
    DecimalType sums = new DecimalType(28, 2);
    DecimalType means = new DecimalType(22, 6);
    return Stream.of(
        new Case(
            "sum of decimals",
            new DecimalFunction.Sum(sums),
            decimals,
            sums,
            cells -> Decimal$.MODULE$.apply(decimalSum(cells), 28, 2)),
        new Case(
            "mean of decimals",
            new DecimalFunction.Mean(means, decimals),
            decimals,
            means,
            cells -> Decimal$.MODULE$.apply(decimalMean(cells), 22, 6)),
        new Case(
            "least decimal",
            new DecimalFunction.Extreme(decimals, true),
            decimals,
            decimals,
            cells -> cells.stream().min(Comparator.comparing(Decimal.class::cast)).orElseThrow()));
  }

  private static Stream<Case> texts() {
    DataType texts = DataTypes.StringType;
    return Stream.of(
        new Case(
            "first text that is not null",
            new ObjectFunction.End(texts, false, true),
            texts,
            texts,
            cells -> cells.get(0)),
        new Case(
            "last text that is not null",
            new ObjectFunction.End(texts, true, true),
            texts,
            texts,
            cells -> cells.get(cells.size() - 1)),
        new Case(
            "greatest text",
            new ObjectFunction.Extreme(
                texts, TypeUtils$.MODULE$.getInterpretedOrdering(texts).reversed()),
            texts,
            texts,
            cells ->
                cells.stream().max(Comparator.comparing(UTF8String.class::cast)).orElseThrow()));
  }

  private static BigDecimal decimalSum(List<Object> cells) {
    return cells.stream()
        .map(each -> ((Decimal) each).toJavaBigDecimal())
        .reduce(BigDecimal.ZERO.setScale(2), BigDecimal::add);
  }

  private static BigDecimal decimalMean(List<Object> cells) {
    BigDecimal count = BigDecimal.valueOf(cells.size());
    return decimalSum(cells).divide(count, 6, RoundingMode.HALF_UP);
  }

  private static double sum(List<Object> cells) {
    double sum = 0;
    for (Object each : cells) {
      sum += (double) each;
    }
    return sum;
  }

  /** The sum of squared differences from the mean, as both grow with each cell. */
  private static double squares(List<Object> cells) {
    double mean = 0;
    double squares = 0;
    for (int i = 0; i < cells.size(); i++) {
      double difference = (double) cells.get(i) - mean;
      double step = difference / (i + 1);
      mean += step;
      squares += difference * (difference - step);
    }
    return squares;
  }

  /** The first of the cells that no other is beyond: zeros are equal, NaN is the greatest. */
  private static Object extreme(List<Object> cells, int sign) {
    Object extreme = cells.get(0);
    for (Object each : cells) {
      double one = ((Number) each).doubleValue() + 0.0;
      if (sign * Double.compare(one, ((Number) extreme).doubleValue() + 0.0) > 0) {
        extreme = each;
      }
    }
    return extreme;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void cellsThatComeAndGo(Case of) {
    Random random = new Random(of.name().hashCode());
    UnsafeProjection row = UnsafeProjection.create(new DataType[] {of.type()});
    SpecificInternalRow target = new SpecificInternalRow(ScalaInterop.seqOf(of.result()));
    int capacity = 16;
    for (int series = 0; series < 20; series++) {
      FrameFunction function = of.function();
      function.clear();
      function.resize(capacity);
      Deque<Object> cells = new ArrayDeque<>();
      int first = 0;
      int end = 0;
      for (int i = 0; i < 500; i++) {
        boolean adds = end == first || random.nextInt(20) < (i / 100 % 2 == 0 ? 13 : 8);
        if (adds) {
          if (end == capacity) {
            function.moveToFront(first, end - first);
            end -= first;
            first = 0;
            capacity *= 2;
            function.resize(capacity);
          }
          Object cell = random.nextInt(5) == 0 ? null : cell(of.type(), random);
          UnsafeRow unsafe = row.apply(new GenericInternalRow(new Object[] {cell}));
          function.add(end++, unsafe, 0);
          cells.add(cell == null ? Void.class : cell);
        } else {
          function.remove(first++);
          cells.remove();
        }
        function.write(first, end, target, 0);
        assertThat(bits(target.isNullAt(0) ? null : target.get(0, of.result())))
            .as("%s after %s", of, cells)
            .isEqualTo(bits(expected(of, cells)));
      }
    }
  }

  private static Object expected(Case of, Deque<Object> cells) {
    List<Object> present = new ArrayList<>(cells);
    present.removeIf(Void.class::equals);
    if (present.isEmpty()) {
      return of.name().equals("count") ? 0L : null;
    }
    return of.expected().apply(present);
  }

  /** All bits but those of NaN. */
  private static Object bits(Object value) {
    if (value instanceof Double number) {
      return Double.doubleToLongBits(number);
    }
    return value instanceof Float number ? Float.floatToIntBits(number) : Objects.toString(value);
  }

  private static Object cell(DataType type, Random random) {
    double special = SPECIAL[random.nextInt(SPECIAL.length)];
    boolean plain = random.nextInt(3) > 0;
    if (type instanceof DecimalType decimal) {
      long most = 999_999_999_999_999_999L;
      long unscaled = plain ? most * (random.nextInt(3) - 1) : random.nextLong() % most;
      return Decimal$.MODULE$.createUnsafe(unscaled, decimal.precision(), decimal.scale());
    } else if (type.equals(DataTypes.StringType)) {
      return UTF8String.fromString("text ".repeat(random.nextInt(3)) + random.nextInt(30));
    } else if (type.equals(DataTypes.LongType)) {
      return random.nextLong();
    } else if (type.equals(DataTypes.ByteType)) {
      return (byte) random.nextInt();
    } else if (type.equals(DataTypes.FloatType)) {
      return plain ? (float) random.nextInt(9) : (float) special;
    }
    return plain ? random.nextGaussian() : special;
  }

  @Test
  void theEndOfAFrameMayBeNull() {
    ObjectFunction first = new ObjectFunction.End(DataTypes.StringType, false, false);
    ObjectFunction last = new ObjectFunction.End(DataTypes.StringType, true, false);
    UnsafeProjection row = UnsafeProjection.create(new DataType[] {DataTypes.StringType});
    SpecificInternalRow target =
        new SpecificInternalRow(ScalaInterop.<DataType>seqOf(DataTypes.StringType));
    for (ObjectFunction each : List.of(first, last)) {
      each.resize(3);
      String[] cells = {null, "a", null};
      for (int i = 0; i < cells.length; i++) {
        Object cell = UTF8String.fromString(cells[i]);
        each.add(i, row.apply(new GenericInternalRow(new Object[] {cell})), 0);
      }
      each.write(0, 3, target, 0);
      assertThat(target.isNullAt(0)).isTrue();
    }
    first.remove(0);
    first.write(1, 3, target, 0);
    assertThat(target.getUTF8String(0)).hasToString("a");
  }

  @Test
  void aCheckedSumFailsWhereItOverflowsOnTheWay() {
    FrameFunction sum = new LongFunction.CheckedSum(null);
    sum.resize(4);
    UnsafeProjection row = UnsafeProjection.create(new DataType[] {DataTypes.LongType});
    long[] cells = {Long.MAX_VALUE, -5, 6, -7};
    for (int i = 0; i < cells.length; i++) {
      sum.add(i, row.apply(new GenericInternalRow(new Object[] {cells[i]})), 0);
    }
    SpecificInternalRow target =
        new SpecificInternalRow(ScalaInterop.<DataType>seqOf(DataTypes.LongType));
    sum.write(0, 2, target, 0);
    assertThat(target.getLong(0)).isEqualTo(Long.MAX_VALUE - 5);
    assertThatThrownBy(() -> sum.write(0, 4, target, 0)).isInstanceOf(ArithmeticException.class);
    sum.remove(0);
    sum.write(1, 4, target, 0);
    assertThat(target.getLong(0)).isEqualTo(-6);
  }
}
