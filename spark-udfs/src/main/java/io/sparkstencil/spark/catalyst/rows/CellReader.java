/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.exec.CellColumn;
import io.sparkstencil.spark.exec.CellKind;
import io.sparkstencil.spark.exec.StagePlan;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** Reads the cells of a row, widened to their staged types. */
public final class CellReader implements Serializable {
  private static final long serialVersionUID = 1L;

  /** In place of an ordinal: the value 1 in every row. */
  public static final int ROW = -1;

  private final int[] ordinals;
  private final CellKind[] kinds;
  private final ElementType[] types;

  /**
   * Creates a reader.
   *
   * @param plan the staged columns
   * @param valueOrdinals where the value columns of the query are in a row, or {@link #ROW}
   */
  public CellReader(StagePlan plan, int[] valueOrdinals) {
    List<StagePlan.Column> columns = plan.columns();
    this.ordinals = columns.stream().mapToInt(c -> valueOrdinals[c.input()]).toArray();
    this.kinds = columns.stream().map(StagePlan.Column::kind).toArray(CellKind[]::new);
    this.types = columns.stream().map(StagePlan.Column::type).toArray(ElementType[]::new);
  }

  public int columns() {
    return ordinals.length;
  }

  /** Tells whether another reader reads the same cells. */
  public boolean readsAs(CellReader other) {
    return Arrays.equals(ordinals, other.ordinals)
        && Arrays.equals(kinds, other.kinds)
        && Arrays.equals(types, other.types);
  }

  public ElementType type(int column) {
    return types[column];
  }

  public int ordinal(int column) {
    return ordinals[column];
  }

  CellKind kind(int column) {
    return kinds[column];
  }

  /** Appends the cells of {@code row} to the staged columns. */
  public void read(InternalRow row, CellColumn[] target) {
    for (int c = 0; c < ordinals.length; c++) {
      if (isNull(row, c)) {
        target[c].addNull();
        continue;
      }
      switch (types[c]) {
        case F64 -> target[c].add(asDouble(row, c));
        case I64 -> target[c].add(asLong(row, c));
        case I32 -> target[c].add((int) asLong(row, c));
        case F32 -> target[c].add(row.getFloat(ordinals[c]));
      }
    }
  }

  public boolean isNull(InternalRow row, int column) {
    return ordinals[column] != ROW && row.isNullAt(ordinals[column]);
  }

  /** Returns the raw bits of a staged cell that is not null. */
  public long bits(InternalRow row, int column) {
    return switch (types[column]) {
      case F64 -> Double.doubleToRawLongBits(asDouble(row, column));
      case I64, I32 -> asLong(row, column);
      case F32 -> Float.floatToRawIntBits(row.getFloat(ordinals[column]));
    };
  }

  /**
   * Orders rows by the bits of their cells, then of all their columns, so that rows that tie can be
   * exchanged.
   *
   * @param a an unsafe row
   * @param b an unsafe row
   */
  public int compareTies(InternalRow a, InternalRow b) {
    for (int c = 0; c < ordinals.length; c++) {
      boolean nullA = isNull(a, c);
      boolean nullB = isNull(b, c);
      int order;
      if (nullA || nullB) {
        order = Boolean.compare(nullB, nullA);
      } else {
        order = Long.compare(bits(a, c), bits(b, c));
      }
      if (order != 0) {
        return order;
      }
    }
    return compareBytes((UnsafeRow) a, (UnsafeRow) b);
  }

  private static int compareBytes(UnsafeRow a, UnsafeRow b) {
    int sizeBytes = Math.min(a.getSizeInBytes(), b.getSizeInBytes());
    for (int at = 0; at < sizeBytes; at += Long.BYTES) {
      long wordA = Platform.getLong(a.getBaseObject(), a.getBaseOffset() + at);
      long wordB = Platform.getLong(b.getBaseObject(), b.getBaseOffset() + at);
      if (wordA != wordB) {
        return Long.compare(wordA, wordB);
      }
    }
    return Integer.compare(a.getSizeInBytes(), b.getSizeInBytes());
  }

  private double asDouble(InternalRow row, int column) {
    int ordinal = ordinals[column];
    return switch (kinds[column]) {
      case DOUBLE -> row.getDouble(ordinal);
      case FLOAT -> row.getFloat(ordinal);
      case LONG -> (double) row.getLong(ordinal);
      case INT -> row.getInt(ordinal);
      case SHORT -> row.getShort(ordinal);
      case BYTE -> row.getByte(ordinal);
    };
  }

  private long asLong(InternalRow row, int column) {
    int ordinal = ordinals[column];
    if (ordinal == ROW) {
      return 1;
    }
    return switch (kinds[column]) {
      case LONG -> row.getLong(ordinal);
      case INT -> row.getInt(ordinal);
      case SHORT -> row.getShort(ordinal);
      case BYTE -> row.getByte(ordinal);
      case FLOAT, DOUBLE ->
          throw new IllegalStateException("floating cells are not staged as integers");
    };
  }
}
