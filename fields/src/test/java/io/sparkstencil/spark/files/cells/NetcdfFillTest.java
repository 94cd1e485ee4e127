/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.cells;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.files.CellType;
import java.math.BigInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers of cells that nobody wrote. */
final class NetcdfFillTest {
  /** Those of netcdf.h. */
  @ParameterizedTest
  @CsvSource({
    "INT16, -32767",
    "UINT16, 65535",
    "INT32, -2147483647",
    "UINT32, 4294967295",
    "INT64, -9223372036854775806",
    "UINT64, 18446744073709551614"
  })
  void integersHaveThoseOfTheHeader(CellType type, BigInteger number) {
    assertThat(NetcdfFill.of(type))
        .hasValueSatisfying(fill -> assertThat(new BigInteger(fill.toString())).isEqualTo(number));
  }

  @ParameterizedTest
  @CsvSource({"FLOAT32", "FLOAT64"})
  void floatsHaveThatOfTheHeader(CellType type) {
    assertThat(NetcdfFill.of(type)).hasValue(15 * 0x1p119);
  }

  @ParameterizedTest
  @CsvSource({"BOOL", "INT8", "UINT8", "FLOAT16"})
  void whatMayAllBeValuesHasNone(CellType type) {
    assertThat(NetcdfFill.of(type)).isEmpty();
  }
}
