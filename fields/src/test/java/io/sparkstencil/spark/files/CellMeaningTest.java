/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CellMeaningTest {
  private static final double[] NUMBERS = {
    0,
    -0.0,
    1,
    -1,
    0.1,
    -999,
    1e-40,
    1e30,
    -1e30,
    1e300,
    65504,
    -65504,
    1.0 / 3,
    41,
    -41,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE
  };

  /** Numbers are compared as they are stored, before they are rounded to float. */
  @ParameterizedTest
  @CsvSource({"FLOAT32", "FLOAT64"})
  void missingNumbersAreTheSameWhateverCellsAreReadAs(CellType type) {
    for (List<Number> missing : List.<List<Number>>of(List.of(), List.of(-999, 0.1), List.of(0))) {
      for (double limit : new double[] {40.5, Double.POSITIVE_INFINITY}) {
        CellPacking packing =
            new CellPacking(
                type,
                type,
                missing,
                Optional.of(-limit),
                Optional.of(limit),
                Optional.empty(),
                Optional.empty(),
                false);
        CellFormat format = new CellFormat(type, true);
        ByteBuffer bytes = ByteBuffer.allocate(NUMBERS.length * type.bytes());
        for (double number : NUMBERS) {
          if (type == CellType.FLOAT32) {
            bytes.putFloat((float) number);
          } else {
            bytes.putDouble(number);
          }
        }
        float[] narrow = new float[NUMBERS.length + 1];
        double[] wide = new double[NUMBERS.length + 1];

        new CellMeaning(packing).decode(format, bytes.flip(), narrow, 1, NUMBERS.length);
        new CellMeaning(packing).decode(format, bytes, wide, 1, NUMBERS.length);

        float[] expectedNarrow = new float[NUMBERS.length + 1];
        double[] expectedWide = new double[NUMBERS.length + 1];
        for (int i = 0; i < NUMBERS.length; i++) {
          double stored = type.rounded(NUMBERS[i]);
          boolean isMissing =
              stored < -limit
                  || stored > limit
                  || missing.stream().anyMatch(each -> type.rounded(each) == stored);
          expectedWide[i + 1] = isMissing ? Double.NaN : stored;
          expectedNarrow[i + 1] = (float) expectedWide[i + 1];
        }
        assertThat(wide).as("%s", packing).containsExactly(expectedWide);
        assertThat(narrow).as("%s", packing).containsExactly(expectedNarrow);
      }
    }
  }
}
