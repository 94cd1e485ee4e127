/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HalfFloatsTest {
  @ParameterizedTest
  @CsvSource({
    "0000, 0",
    "8000, -0.0",
    "3c00, 1",
    "bc00, -1",
    "3555, 0.333251953125",
    "7bff, 65504",
    "0400, 6.103515625e-05",
    "03ff, 6.097555160522461e-05",
    "0001, 5.960464477539063e-08",
    "7c00, Infinity",
    "fc00, -Infinity",
    "7e00, NaN",
    "7c01, NaN"
  })
  void numbersAreThoseOfTheStandard(String bits, float number) {
    assertThat(Float.valueOf(HalfFloats.number((short) Integer.parseInt(bits, 16))))
        .isEqualTo(Float.valueOf(number));
  }

  @Test
  void allNumbersComeBackFromTheirBits() {
    for (int bits = 0; bits < 1 << 16; bits++) {
      float number = HalfFloats.number((short) bits);
      short back = HalfFloats.bits(number);
      assertThat(Float.isNaN(number) ? 0x7e00 : bits).isEqualTo(back & 0xffff);
    }
  }

  @Test
  void numbersBetweenTwoAreRoundedToTheNearestOrEven() {
    for (int bits = 0; bits < 0x7bff; bits++) {
      double low = HalfFloats.number((short) bits);
      double high = HalfFloats.number((short) (bits + 1));
      double even = bits % 2 == 0 ? low : high;
      assertThat(HalfFloats.rounded((low + high) / 2)).isEqualTo(even);
      assertThat(HalfFloats.rounded(-(low * 0.49 + high * 0.51))).isEqualTo(-high);
      assertThat(HalfFloats.rounded(low * 0.51 + high * 0.49)).isEqualTo(low);
    }
    assertThat(HalfFloats.rounded(65519)).isEqualTo(65504);
    assertThat(HalfFloats.rounded(65520)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(HalfFloats.rounded(-1e300)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(HalfFloats.rounded(1e-300)).isZero();
  }

  @Test
  void filesHaveThemInBothByteOrders() {
    for (String name : new String[] {"<f2", ">f2"}) {
      CellFormat format = CellFormat.ofNumpy(name).orElseThrow();
      ByteBuffer bytes = format.encoded(0.25);
      double[] cells = new double[1];
      format.decode(bytes, cells, 0, 1);
      assertThat(cells).containsExactly(0.25);
      assertThat(bytes.get(name.equals("<f2") ? 1 : 0)).isEqualTo((byte) 0x34);
      assertThat(format.type().element().bytes()).isEqualTo(4);
    }
  }
}
