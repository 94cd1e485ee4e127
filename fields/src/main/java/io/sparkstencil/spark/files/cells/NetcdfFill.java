/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.cells;

import io.sparkstencil.spark.files.CellType;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The numbers that NetCDF gives cells that nobody wrote, where an array has no {@code _FillValue}.
 */
public final class NetcdfFill {
  private NetcdfFill() {}

  /** Returns the number for a type; nothing for bytes, which may all be values. */
  public static Optional<Number> of(CellType type) {
    return switch (type) {
      case INT16 -> Optional.of(-32767L);
      case UINT16 -> Optional.of(65535L);
      case INT32 -> Optional.of(-2147483647L);
      case UINT32 -> Optional.of(4294967295L);
      case INT64 -> Optional.of(-9223372036854775806L);
      case UINT64 -> Optional.of(new BigInteger("18446744073709551614"));
      case FLOAT32, FLOAT64 -> Optional.of(0x1.ep122); // 9.969209968386869e36
      case BOOL, INT8, UINT8, FLOAT16 -> Optional.empty();
    };
  }
}
