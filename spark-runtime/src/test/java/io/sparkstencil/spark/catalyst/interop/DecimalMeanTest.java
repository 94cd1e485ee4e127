/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.DecimalDivideWithOverflowCheck;
import org.apache.spark.sql.catalyst.expressions.EvalMode$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.MakeDecimal;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.Decimal$;
import org.apache.spark.sql.types.DecimalType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import scala.Option;

/** Means of decimals have the bits of Spark's quotient, as generated code and without. */
final class DecimalMeanTest {
  private static final int ROWS = 20_000;
  private static final Expression COUNT = new BoundReference(1, DataTypes.LongType, false);

  private static Expression sparks(Expression sum, int precision, int scale) {
    Expression count =
        new Cast(COUNT, new DecimalType(20, 0), Option.empty(), EvalMode$.MODULE$.LEGACY());
    return new DecimalDivideWithOverflowCheck(
        sum, count, new DecimalType(precision + 4, scale + 4), null, true);
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "9, 2", "12, 12", "15, 2", "18, 0", "18, 18"})
  void hasTheBitsOfSparksQuotientOfDecimals(int precision, int scale) {
    DecimalType ofSum = new DecimalType(precision + 10, scale);
    Expression spark = sparks(new BoundReference(0, ofSum, true), precision, scale);
    Random random = new Random(precision * 100L + scale);
    check(
        spark,
        count -> {
          BigInteger most = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
          BigInteger sum = sum(random, most.multiply(BigInteger.valueOf(count)));
          return Decimal$.MODULE$.apply(new BigDecimal(sum, scale), ofSum.precision(), scale);
        },
        random);
  }

  @ParameterizedTest
  @CsvSource({"9, 2", "15, 2", "15, 15", "17, 3"})
  void hasTheBitsOfSparksQuotientOfUnscaledSums(int precision, int scale) {
    Expression unscaled = new BoundReference(0, DataTypes.LongType, true);
    Expression spark = sparks(new MakeDecimal(unscaled, precision + 10, scale), precision, scale);
    Random random = new Random(precision * 100L + scale);
    BigInteger most = BigInteger.valueOf(Long.MAX_VALUE);
    BigInteger each = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
    check(
        spark,
        count -> sum(random, most.min(each.multiply(BigInteger.valueOf(count)))).longValueExact(),
        random);
  }

  /** Sums of any size; some are halfway between two means for some counts. */
  private static BigInteger sum(Random random, BigInteger most) {
    BigInteger sum =
        switch (random.nextInt(8)) {
          case 0 -> most;
          case 1 -> BigInteger.valueOf(random.nextInt(40)).min(most);
          default -> new BigInteger(random.nextInt(most.bitLength() + 1), random).min(most);
        };
    return random.nextBoolean() ? sum : sum.negate();
  }

  private interface Sums {
    Object of(long count);
  }

  private static void check(Expression spark, Sums sums, Random random) {
    Expression ours = DecimalMean.in(spark);
    assertThat(ours).isInstanceOf(DecimalMean.class);
    UnsafeProjection expected = UnsafeProjection.create(ScalaInterop.seqOf(spark));
    UnsafeProjection generated = UnsafeProjection.create(ScalaInterop.seqOf(ours));
    UnsafeProjection evaluated =
        UnsafeProjection.create(ScalaInterop.seqOf(new BoundReference(0, ours.dataType(), true)));
    for (int i = 0; i < ROWS; i++) {
      long count =
          switch (random.nextInt(4)) {
            case 0 -> 1L << random.nextInt(31);
            case 1 -> 5_000_000_000L + random.nextInt(1000);
            default -> 1 + random.nextInt(100);
          };
      InternalRow row = new GenericInternalRow(new Object[] {sums.of(count), count});
      UnsafeRow wanted = expected.apply(row);
      assertThat(generated.apply(row)).as("of %s", row).isEqualTo(wanted);
      InternalRow value = new GenericInternalRow(new Object[] {ours.eval(row)});
      assertThat(evaluated.apply(value)).as("of %s", row).isEqualTo(wanted);
    }
  }

  @Test
  void isNullOfNothing() {
    Expression ours =
        DecimalMean.in(sparks(new BoundReference(0, new DecimalType(25, 2), true), 15, 2));
    UnsafeProjection generated = UnsafeProjection.create(ScalaInterop.seqOf(ours));
    Decimal one = Decimal$.MODULE$.apply(BigDecimal.valueOf(100, 2), 25, 2);
    for (Object[] values : List.of(new Object[] {null, 3L}, new Object[] {one, 0L})) {
      InternalRow row = new GenericInternalRow(values);
      assertThat(generated.apply(row).isNullAt(0)).isTrue();
      assertThat(ours.eval(row)).isNull();
    }
  }

  @Test
  void leavesSumsThatMayOverflowToSpark() {
    Expression spark = sparks(new BoundReference(0, new DecimalType(29, 2), true), 19, 2);
    assertThat(DecimalMean.in(spark)).isEqualTo(spark);
  }
}
