/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.windows;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.spark.catalyst.plan.StencilExpression;
import io.sparkstencil.spark.conf.SqlOptions;
import io.sparkstencil.spark.exec.CellKind;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;

/** The kinds of values that have switches of their own. */
enum ValueType {
  INTEGRAL,
  FLOATING,
  DECIMAL,
  DATETIME;

  /** Decimals of so many digits are a long in a row. */
  static final int LONG_DIGITS = 18;

  /** Returns the option that says whether stencils compute windows over such values. */
  ConfigOption<Boolean> option() {
    return switch (this) {
      case INTEGRAL -> SqlOptions.INTEGRAL_ENABLED;
      case FLOATING -> SqlOptions.FLOATING_ENABLED;
      case DECIMAL -> SqlOptions.DECIMAL_ENABLED;
      case DATETIME -> SqlOptions.DATETIME_ENABLED;
    };
  }

  /** Returns the kind of a type's values, or null if no stencil takes them. */
  static ValueType of(DataType type) {
    CellKind kind = CellKind.of(type);
    if (kind != null) {
      return kind.cells().isFloating() ? FLOATING : INTEGRAL;
    } else if (StencilExpression.storedKindOf(type) == null) {
      return null;
    }
    return type instanceof DecimalType ? DECIMAL : DATETIME;
  }
}
