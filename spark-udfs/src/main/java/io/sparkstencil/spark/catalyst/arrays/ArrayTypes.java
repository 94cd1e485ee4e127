/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.exec.CellKind;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;

/** Spark's array types and the element types of stencils. */
final class ArrayTypes {
  private ArrayTypes() {}

  /** Returns the type of the innermost arrays of an array type. */
  static ArrayType innermost(DataType type) {
    ArrayType array = (ArrayType) type;
    while (array.elementType() instanceof ArrayType inner) {
      array = inner;
    }
    return array;
  }

  /** Returns how many arrays an array type has around its innermost ones. */
  static int depth(DataType type) {
    int depth = 0;
    for (DataType t = type; t instanceof ArrayType array; t = array.elementType()) {
      depth++;
    }
    return depth - 1;
  }

  /** Returns the element type of a number type, or null if stencils have none for it. */
  static ElementType elementType(DataType type) {
    CellKind kind = CellKind.of(type);
    return kind != null && CellKind.of(kind.cells()) == kind ? kind.cells() : null;
  }

  /** Returns {@code type} with other innermost elements. */
  static ArrayType withElements(DataType type, DataType elements, boolean containsNull) {
    ArrayType array = (ArrayType) type;
    return array.elementType() instanceof ArrayType
        ? new ArrayType(
            withElements(array.elementType(), elements, containsNull), array.containsNull())
        : new ArrayType(elements, containsNull);
  }

  /**
   * Returns the type that an argument is cast to: small integers to int, decimals to double, as
   * Spark widens them; its own type where there is no such type.
   */
  static DataType coerced(DataType type) {
    if (!(type instanceof ArrayType)) {
      return type;
    }
    ArrayType innermost = innermost(type);
    DataType elements = innermost.elementType();
    if (elements.equals(DataTypes.ByteType) || elements.equals(DataTypes.ShortType)) {
      return withElements(type, DataTypes.IntegerType, innermost.containsNull());
    }
    return elements instanceof DecimalType
        ? withElements(type, DataTypes.DoubleType, innermost.containsNull())
        : type;
  }
}
