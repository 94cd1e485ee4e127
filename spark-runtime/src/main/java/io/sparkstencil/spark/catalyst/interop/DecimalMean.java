/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.DecimalDivideWithOverflowCheck;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.MakeDecimal;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.Decimal$;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.LongType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * The mean of decimals: their sum, a decimal or its unscaled value, by their number, a bigint.
 *
 * <p>Spark divides large integers, to 39 places after the point, and rounds the quotient half up to
 * the places of the result, at most 22. This rounds the exact quotient, once. Both are equal: an
 * exact quotient of n values that is not halfway between two results is 1 / (2n * 10^22) from there
 * at least, which 39 places tell apart for any n up to 10^16.
 */
public final class DecimalMean extends Expression implements CaseClass, Serializable {
  private static final long serialVersionUID = 1L;

  /** Digits of sums of decimals that are a long in a row; more rows than there are do not fit. */
  private static final int MOST_SUM_DIGITS = Decimal.MAX_LONG_DIGITS() + 10;

  /** Places that a mean has more than its values: so many more leave room in a long. */
  private static final int MOST_MORE_PLACES = 4;

  private static final DecimalType COUNT_TYPE = new DecimalType(20, 0); // Spark's

  private static final long MOST_COUNT = Integer.MAX_VALUE;
  private static final long LONG_LIMIT = 1_000_000_000_000_000_000L; // of Spark's compact decimals

  private final Expression sum;
  private final Expression count;
  private final int sumScale;
  private final DecimalType type;

  /**
   * Creates the expression.
   *
   * @param sum a decimal, or the unscaled value of one
   * @param count their number
   * @param sumScale the scale of the sum
   * @param type the mean's
   */
  private DecimalMean(Expression sum, Expression count, int sumScale, DecimalType type) {
    this.sum = sum;
    this.count = count;
    this.sumScale = sumScale;
    this.type = type;
  }

  /**
   * Returns an expression with means of this kind in place of Spark's quotients.
   *
   * @param expression the value of an average, whose quotient is no greater than the values
   */
  public static Expression in(Expression expression) {
    if (expression instanceof DecimalDivideWithOverflowCheck quotient
        && quotient.right() instanceof Cast cast
        && cast.child().dataType() instanceof LongType
        && quotient.left().dataType() instanceof DecimalType ofSum
        && ofSum.precision() <= MOST_SUM_DIGITS) {
      DecimalType type = quotient.dataType();
      int more = type.scale() - ofSum.scale();
      if (more >= 0 && more <= MOST_MORE_PLACES && cast.dataType().equals(COUNT_TYPE)) {
        Expression sum =
            quotient.left() instanceof MakeDecimal made ? made.child() : quotient.left();
        return new DecimalMean(sum, cast.child(), ofSum.scale(), type);
      }
    }
    return expression.mapChildren(DecimalMean::in);
  }

  /**
   * Returns the mean of values.
   *
   * @param sum their unscaled sum
   * @param unit the units of the mean that are one of the sum, a power of ten
   */
  public static Decimal of(long sum, long count, long unit, int precision, int scale) {
    if (count > MOST_COUNT) {
      return of(BigInteger.valueOf(sum), count, unit, precision, scale);
    }
    long whole = sum / count;
    long rest = (sum - whole * count) * unit;
    long part = rest / count;
    if (2 * Math.abs(rest - part * count) >= count) {
      part += sum < 0 ? -1 : 1;
    }
    long limit = LONG_LIMIT / unit;
    return whole > -limit && whole < limit
        ? Decimal$.MODULE$.createUnsafe(whole * unit + part, precision, scale)
        : decimal(
            BigInteger.valueOf(whole)
                .multiply(BigInteger.valueOf(unit))
                .add(BigInteger.valueOf(part)),
            precision,
            scale);
  }

  /** Returns the mean of values, of their sum. */
  public static Decimal of(Decimal sum, long count, long unit, int precision, int scale) {
    BigInteger unscaled = sum.toJavaBigDecimal().unscaledValue();
    return unscaled.bitLength() < Long.SIZE
        ? of(unscaled.longValue(), count, unit, precision, scale)
        : of(unscaled, count, unit, precision, scale);
  }

  /** Returns the mean of values, of their unscaled sum. */
  public static Decimal of(BigInteger sum, long count, long unit, int precision, int scale) {
    BigDecimal exact = new BigDecimal(sum.multiply(BigInteger.valueOf(unit)));
    BigDecimal mean = exact.divide(BigDecimal.valueOf(count), 0, RoundingMode.HALF_UP);
    return decimal(mean.unscaledValue(), precision, scale);
  }

  private static Decimal decimal(BigInteger unscaled, int precision, int scale) {
    return Decimal$.MODULE$.apply(new BigDecimal(unscaled, scale), precision, scale);
  }

  private long unit() {
    return BigInteger.TEN.pow(type.scale() - sumScale).longValueExact();
  }

  @Override
  public DataType dataType() {
    return type;
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public Seq<Expression> children() {
    return ScalaInterop.seqOf(sum, count);
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new DecimalMean(newChildren.apply(0), newChildren.apply(1), sumScale, type);
  }

  @Override
  public Object eval(InternalRow row) {
    Object ofSum = sum.eval(row);
    Object ofCount = count.eval(row);
    if (ofSum == null || ofCount == null || (long) ofCount == 0) {
      return null;
    }
    return ofSum instanceof Decimal decimal
        ? of(decimal, (long) ofCount, unit(), type.precision(), type.scale())
        : of((long) ofSum, (long) ofCount, unit(), type.precision(), type.scale());
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    ExprCode ofSum = sum.genCode(context);
    ExprCode ofCount = count.genCode(context);
    String text =
        """

        boolean %1$s = %2$s || %3$s || %4$s == 0L;
        Decimal %5$s = %1$s ? null : %6$s.of(%7$s, %4$s, %8$dL, %9$d, %10$d);
        """
            .formatted(
                code.isNull(),
                ofSum.isNull(),
                ofCount.isNull(),
                ofCount.value(),
                code.value(),
                DecimalMean.class.getName(),
                ofSum.value(),
                unit(),
                type.precision(),
                type.scale());
    return code.copy(
        new CodeBlock(
            ScalaInterop.seq(List.of("", "\n", text)),
            ScalaInterop.seq(List.of(ofSum.code(), ofCount.code()))),
        code.isNull(),
        code.value());
  }

  @Override
  public String prettyName() {
    return "decimal_mean";
  }

  @Override
  public List<Object> elements() {
    return List.of(sum, count, sumScale, type);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DecimalMean that && elements().equals(that.elements());
  }

  @Override
  public int hashCode() {
    return elements().hashCode();
  }
}
