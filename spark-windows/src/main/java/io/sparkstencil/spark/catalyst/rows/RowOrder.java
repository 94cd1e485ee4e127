/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.spark.catalyst.interop.RowValue;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BaseOrdering;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal$;
import org.apache.spark.sql.catalyst.expressions.NullsFirst$;
import org.apache.spark.sql.catalyst.expressions.RowOrdering$;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers$;
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils;
import org.apache.spark.sql.execution.SortPrefixUtils;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.sql.vectorized.ColumnVector;
import scala.collection.immutable.Seq;

/** An order of rows, and the quick way to compare rows where it is that of one integral column. */
public final class RowOrder implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Seq<SortOrder> order;
  private final Seq<Attribute> attributes;
  private final int integralOrdinal;
  private final int integralBytes; // width of the integral key

  /** Creates the order of rows that consist of {@code attributes}. */
  public RowOrder(Seq<SortOrder> order, Seq<Attribute> attributes) {
    this.order = order;
    this.attributes = attributes;
    this.integralOrdinal = integralOrdinal(order, attributes);
    this.integralBytes = integralOrdinal < 0 ? 0 : order.apply(0).child().dataType().defaultSize();
  }

  private static int integralOrdinal(Seq<SortOrder> order, Seq<Attribute> attributes) {
    if (order.size() != 1) {
      return -1;
    }
    SortOrder only = order.apply(0);
    boolean quick =
        only.direction() == Ascending$.MODULE$
            && only.nullOrdering() == NullsFirst$.MODULE$
            && only.child() instanceof Attribute
            && isIntegral(only.child().dataType());
    return quick ? ScalaInterop.ordinal(only.child(), attributes) : -1;
  }

  private static boolean isIntegral(DataType type) {
    return type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType
        || type instanceof IntegerType
        || type instanceof DateType
        || type instanceof ShortType
        || type instanceof ByteType;
  }

  /** Returns this order of rows that have other columns, the key's among them. */
  public RowOrder of(Seq<Attribute> columns) {
    return new RowOrder(order, columns);
  }

  public Seq<SortOrder> sortOrder() {
    return order;
  }

  public Seq<Attribute> attributes() {
    return attributes;
  }

  /** Tells whether the order is that of one integral column, ascending, nulls first. */
  public boolean isIntegral() {
    return integralOrdinal >= 0;
  }

  /** Returns the column of {@link #isIntegral}. */
  public int integralOrdinal() {
    return integralOrdinal;
  }

  /** Returns the key of a row where {@link #isIntegral}; the row's key is not null. */
  public long integralKey(InternalRow row) {
    return switch (integralBytes) {
      case 1 -> row.getByte(integralOrdinal);
      case 2 -> row.getShort(integralOrdinal);
      case 4 -> row.getInt(integralOrdinal);
      default -> row.getLong(integralOrdinal);
    };
  }

  /** Returns a key of {@link #integralOrdinal}'s column that is not null. */
  public long integralKey(ColumnVector keys, int row) {
    return switch (integralBytes) {
      case 1 -> keys.getByte(row);
      case 2 -> keys.getShort(row);
      case 4 -> keys.getInt(row);
      default -> keys.getLong(row);
    };
  }

  public boolean isIntegralNull(InternalRow row) {
    return row.isNullAt(integralOrdinal);
  }

  /** Returns what compares whole rows, quickly where {@link #isIntegral}. */
  public Comparator<InternalRow> comparator() {
    return isIntegral() ? this::compareIntegral : RowOrdering$.MODULE$.create(order, attributes);
  }

  private int compareIntegral(InternalRow a, InternalRow b) {
    boolean nullA = isIntegralNull(a);
    boolean nullB = isIntegralNull(b);
    return nullA || nullB
        ? Boolean.compare(nullB, nullA)
        : Long.compare(integralKey(a), integralKey(b));
  }

  /**
   * Tells whether the prefixes that Spark makes of the first key, by which it sorts, are in its
   * order. Those of decimals that a long holds are not if their scale is so negative that the
   * number takes more digits.
   */
  boolean hasPrefixes() {
    return !(order.apply(0).child().dataType() instanceof DecimalType decimal
        && decimal.precision() <= Decimal.MAX_LONG_DIGITS()
        && decimal.precision() - decimal.scale() > Decimal.MAX_LONG_DIGITS());
  }

  /** Tells whether that prefix is the whole key: rows whose prefixes are equal tie. */
  boolean isPrefix() {
    return order.size() == 1
        && hasPrefixes()
        && SortPrefixUtils.canSortFullyWithPrefix(order.apply(0));
  }

  /** Returns the column that is the whole key; -1 if the key is something else. */
  public int keyOrdinal() {
    return order.size() == 1 && order.apply(0).child() instanceof Attribute only
        ? ScalaInterop.ordinal(only, attributes)
        : -1;
  }

  /** Returns the projection of a row to its key. */
  public UnsafeProjection keyProjection() {
    return UnsafeProjection.create(ScalaInterop.seq(keyExpressions()), attributes);
  }

  /** Returns the projection of a row to its key, so that keys are equal if their bytes are. */
  public UnsafeProjection binaryKeyProjection() {
    List<Expression> keys = new ArrayList<>();
    for (Expression key : keyExpressions()) {
      keys.add(NormalizeFloatingNumbers$.MODULE$.normalize(key));
    }
    return UnsafeProjection.create(ScalaInterop.seq(keys), attributes);
  }

  /** Tells whether equal keys can be recognised by the bytes of {@link #binaryKeyProjection}. */
  public boolean hasBinaryKeys() {
    return keyExpressions().stream().allMatch(key -> UnsafeRowUtils.isBinaryStable(key.dataType()));
  }

  /** Returns the order of keys that {@link #keyProjection} makes. */
  public BaseOrdering ofKeys() {
    return RowOrdering$.MODULE$.create(boundKeys(), ScalaInterop.seqOf());
  }

  /** Returns the expressions of {@link #ofKeys}. */
  public Seq<SortOrder> boundKeys() {
    List<SortOrder> bound = new ArrayList<>();
    for (SortOrder each : ScalaInterop.list(order)) {
      bound.add(
          new SortOrder(
              new BoundReference(bound.size(), each.child().dataType(), each.child().nullable()),
              each.direction(),
              each.nullOrdering(),
              ScalaInterop.seqOf()));
    }
    return ScalaInterop.seq(bound);
  }

  /** Returns the key of a row in words. */
  public String describe(InternalRow row) {
    List<String> parts = new ArrayList<>();
    for (Expression key : keyExpressions()) {
      int ordinal = ScalaInterop.ordinal(key, attributes);
      String text =
          row.isNullAt(ordinal)
              ? "null"
              : Literal$.MODULE$
                  .create(new RowValue(key.dataType()).of(row, ordinal), key.dataType())
                  .toString();
      parts.add("%s = %s".formatted(((Attribute) key).name(), text));
    }
    return String.join(", ", parts);
  }

  /** Returns what makes a row's key. */
  public List<Expression> keyExpressions() {
    List<Expression> keys = new ArrayList<>();
    ScalaInterop.list(order).forEach(each -> keys.add(each.child()));
    return keys;
  }
}
