/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * What a program reads and makes: an array of an array, or arrays of a struct of arrays.
 *
 * @param names the fields that the arrays are
 * @param inStruct whether the arrays come in a struct
 * @param dimensions their axes
 * @param type the type of their cells
 * @param nulls whether elements can be null
 * @param results which of the arrays are updated
 */
record ProgramShape(
    List<String> names,
    boolean inStruct,
    int dimensions,
    ElementType type,
    boolean nulls,
    List<Integer> results)
    implements Serializable {

  /** Returns the shape of an operation over values of a type. */
  static ProgramShape of(ProgramOperation operation, DataType input) {
    List<ArrayType> arrays = arrays(input);
    DataType element = ArrayTypes.innermost(arrays.get(0)).elementType();
    return new ProgramShape(
        operation.arrays(),
        input instanceof StructType,
        ArrayTypes.depth(arrays.get(0)) + 1,
        element.equals(DataTypes.FloatType) ? ElementType.F32 : ElementType.F64,
        arrays.stream().anyMatch(array -> ArrayTypes.innermost(array).containsNull()),
        operation.results());
  }

  /** Returns the types of the arrays in a type; none if it has others, too. */
  static List<ArrayType> arrays(DataType input) {
    if (input instanceof ArrayType array) {
      return List.of(array);
    }
    List<ArrayType> arrays = new ArrayList<>();
    if (input instanceof StructType struct) {
      for (StructField field : struct.fields()) {
        if (!(field.dataType() instanceof ArrayType array)) {
          return List.of();
        }
        arrays.add(array);
      }
    }
    return arrays;
  }

  /** Tells whether the result is a struct of arrays: the program updates several of them. */
  boolean isStruct() {
    return results.size() > 1;
  }

  /**
   * Returns the type of the results.
   *
   * @param input that of the arrays
   */
  DataType resultType(DataType input) {
    List<ArrayType> arrays = arrays(input);
    List<StructField> fields = new ArrayList<>();
    for (int result : results) {
      ArrayType array = arrays.get(result);
      DataType element = ArrayTypes.innermost(array).elementType();
      DataType made = ArrayTypes.withElements(array, element, nulls);
      fields.add(DataTypes.createStructField(names.get(result), made, false));
    }
    return isStruct() ? DataTypes.createStructType(fields) : fields.get(0).dataType();
  }

  /** Returns the arrays in a column of a row; none if one of them is null. */
  List<UnsafeArrayData> arrays(UnsafeRow row, int ordinal) {
    if (row.isNullAt(ordinal)) {
      return List.of();
    }
    if (!inStruct) {
      return List.of(row.getArray(ordinal));
    }
    UnsafeRow struct = row.getStruct(ordinal, names.size());
    List<UnsafeArrayData> arrays = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (struct.isNullAt(i)) {
        return List.of();
      }
      arrays.add(struct.getArray(i));
    }
    return arrays;
  }
}
