/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.exec.CellColumn;
import io.sparkstencil.spark.exec.CellKind;
import io.sparkstencil.spark.exec.StagePlan;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Reads the values of a row that a query computes with, and makes the cells of them: values widened
 * to their staged types. A value is held as its raw bits.
 */
public final class CellReader implements TieOrder {
  private static final long serialVersionUID = 1L;

  /** In place of an ordinal: the value 1 in every row. */
  public static final int ROW = -1;

  private final int[] ordinals; // of the value columns
  private final CellKind[] kinds;
  private final int[] inputs; // the value column of each staged column
  private final ElementType[] types;

  /**
   * Creates a reader.
   *
   * @param plan the staged columns
   * @param valueOrdinals where the value columns of the query are in a row, or {@link #ROW}
   */
  public CellReader(StagePlan plan, int[] valueOrdinals) {
    this.ordinals = valueOrdinals;
    this.kinds = new CellKind[valueOrdinals.length];
    plan.columns().forEach(column -> kinds[column.input()] = column.kind());
    this.inputs = plan.columns().stream().mapToInt(StagePlan.Column::input).toArray();
    this.types = plan.columns().stream().map(StagePlan.Column::type).toArray(ElementType[]::new);
  }

  private CellReader(CellReader other, int[] ordinals) {
    this.ordinals = ordinals;
    this.kinds = other.kinds;
    this.inputs = other.inputs;
    this.types = other.types;
  }

  /** Returns a reader of rows in which the column at each ordinal is at {@code places} of it. */
  public CellReader at(int[] places) {
    return new CellReader(
        this, Arrays.stream(ordinals).map(each -> each == ROW ? ROW : places[each]).toArray());
  }

  /** Tells whether a column has values that are read. */
  public boolean reads(int ordinal) {
    return Arrays.stream(ordinals).anyMatch(each -> each == ordinal);
  }

  /** Returns where the values are in a row, in the order in which they break ties. */
  public int[] ordinals() {
    return ordinals.clone();
  }

  /** Returns the number of staged columns. */
  public int columns() {
    return inputs.length;
  }

  /** Returns the type of the cells of a staged column. */
  public ElementType type(int column) {
    return types[column];
  }

  /** Returns where the value of a staged column is in a row, or {@link #ROW}. */
  public int ordinal(int column) {
    return ordinals[inputs[column]];
  }

  /** Tells whether another reader reads the same values, of which it may make other cells. */
  public boolean readsValuesOf(CellReader other) {
    return Arrays.equals(ordinals, other.ordinals) && Arrays.equals(kinds, other.kinds);
  }

  /** Appends the cells of {@code row} to the staged columns. */
  public void read(InternalRow row, CellColumn[] target) {
    for (int c = 0; c < inputs.length; c++) {
      int value = inputs[c];
      if (isNull(row, value)) {
        target[c].addNull();
        continue;
      }
      long bits = bits(row, value);
      switch (types[c]) {
        case F64 -> target[c].add(asDouble(kinds[value], bits));
        case I64 -> target[c].add(bits);
        case I32 -> target[c].add((int) bits);
        case F32 -> target[c].addBits(bits);
      }
    }
  }

  private static double asDouble(CellKind kind, long bits) {
    return switch (kind) {
      case DOUBLE -> Double.longBitsToDouble(bits);
      case FLOAT -> Float.intBitsToFloat((int) bits);
      case LONG, INT, SHORT, BYTE -> (double) bits;
    };
  }

  private boolean isNull(InternalRow row, int value) {
    return ordinals[value] != ROW && row.isNullAt(ordinals[value]);
  }

  /** Returns the raw bits of a value that is not null. */
  private long bits(InternalRow row, int value) {
    int ordinal = ordinals[value];
    if (ordinal == ROW) {
      return 1;
    }
    return switch (kinds[value]) {
      case DOUBLE -> Double.doubleToRawLongBits(row.getDouble(ordinal));
      case FLOAT -> Float.floatToRawIntBits(row.getFloat(ordinal));
      case LONG -> row.getLong(ordinal);
      case INT -> row.getInt(ordinal);
      case SHORT -> row.getShort(ordinal);
      case BYTE -> row.getByte(ordinal);
    };
  }

  /**
   * Orders rows that tie: by their values in Spark's order, nulls first, one value column after the
   * other. What is left, such as zeros of either sign, is ordered by the bits of the values and at
   * last by those of the whole rows, so that only equal rows are in no order.
   *
   * @param a an unsafe row
   * @param b an unsafe row
   */
  @Override
  public int compareTies(InternalRow a, InternalRow b) {
    int byBits = 0;
    for (int v = 0; v < ordinals.length; v++) {
      boolean nullA = isNull(a, v);
      boolean nullB = isNull(b, v);
      if (nullA || nullB) {
        if (nullA != nullB) {
          return nullA ? -1 : 1;
        }
        continue;
      }
      long bitsA = bits(a, v);
      long bitsB = bits(b, v);
      int order = compareValues(v, bitsA, bitsB);
      if (order != 0) {
        return order;
      }
      byBits = byBits != 0 ? byBits : Long.compare(bitsA, bitsB);
    }
    return byBits != 0 ? byBits : TieOrder.compareBytes((UnsafeRow) a, (UnsafeRow) b);
  }

  /** Compares values of one column, neither of them null, in Spark's order. */
  private int compareValues(int value, long a, long b) {
    if (!kinds[value].cells().isFloating()) {
      return Long.compare(a, b);
    }
    double doubleA = asDouble(kinds[value], a);
    double doubleB = asDouble(kinds[value], b);
    return doubleA == doubleB ? 0 : Double.compare(doubleA, doubleB);
  }
}
