/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.ResultTypes;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The type of a numeric column, and what stencils over it are staged as and return. */
@SuppressWarnings("ImmutableEnumChecker") // Spark's types are immutable
public enum CellKind {
  BYTE(DataTypes.ByteType, ElementType.I32),
  SHORT(DataTypes.ShortType, ElementType.I32),
  INT(DataTypes.IntegerType, ElementType.I32),
  LONG(DataTypes.LongType, ElementType.I64),
  FLOAT(DataTypes.FloatType, ElementType.F32),
  DOUBLE(DataTypes.DoubleType, ElementType.F64);

  private final DataType dataType;
  private final ElementType cells;

  CellKind(DataType dataType, ElementType cells) {
    this.dataType = dataType;
    this.cells = cells;
  }

  /** Returns the kind of a column of {@code type}, or null if it is not numeric. */
  public static CellKind of(DataType type) {
    return Stream.of(values()).filter(k -> k.dataType.equals(type)).findFirst().orElse(null);
  }

  /** Returns the type of a column that holds cells of {@code type}. */
  public static CellKind of(ElementType type) {
    return switch (type) {
      case F32 -> FLOAT;
      case F64 -> DOUBLE;
      case I32 -> INT;
      case I64 -> LONG;
    };
  }

  /** Returns Spark's type of such columns. */
  public DataType dataType() {
    return dataType;
  }

  /** Returns the type that holds values of this kind as they are. */
  public ElementType cells() {
    return cells;
  }

  /**
   * Returns the element type in which {@code reduction} is computed: that of the results, except
   * that floating-point cells are counted as F64, in which they are staged for sums and means.
   */
  public ElementType stagedFor(Reduction reduction) {
    return reduction == Reduction.COUNT && cells().isFloating()
        ? ElementType.F64
        : ResultTypes.COLUMN.of(cells(), reduction);
  }

  /** Returns the type of the result column, which is that of Spark's aggregate. */
  public CellKind resultOf(Reduction reduction) {
    boolean choosesCells = reduction == Reduction.MIN || reduction == Reduction.MAX;
    return choosesCells ? this : of(ResultTypes.COLUMN.of(cells(), reduction));
  }
}
