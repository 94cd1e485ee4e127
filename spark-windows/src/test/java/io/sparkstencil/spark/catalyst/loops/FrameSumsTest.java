/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums that are added side by side have the bits of one addition after the other. */
final class FrameSumsTest {
  private static final double[] SPECIAL = {
    -0.0, 0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e308
  };

  /**
   * Frames of about as many cells, whose ends move by up to so many cells from row to row; one cell
   * of so many is a special one.
   */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 5",
    "7, 1, 50",
    "20, 1, 50",
    "71, 1, 500",
    "72, 1, 500",
    "100, 1, 1000000",
    "337, 1, 1000000",
    "337, 1, 300",
    "90, 2, 1000000",
    "337, 3, 700",
    "400, 40, 1000000",
    "1000, 900, 5000"
  })
  void sumsOfFramesThatMove(int width, int step, int special) {
    Random random = new Random(width + step);
    int rows = 1000;
    int[] firsts = new int[rows];
    int[] ends = new int[rows];
    int first = 0;
    int end = width;
    for (int i = 0; i < rows; i++) {
      firsts[i] = first;
      ends[i] = end;
      first += step == 1 ? 1 : random.nextInt(step + 1);
      end = Math.max(first, end + (step == 1 ? 1 : random.nextInt(step + 1)));
    }
    double[] cells = new double[ends[rows - 1]];
    for (int i = 0; i < cells.length; i++) {
      boolean isSpecial = random.nextInt(special) == 0;
      cells[i] = isSpecial ? SPECIAL[random.nextInt(SPECIAL.length)] : random.nextGaussian() * 1e3;
    }
    double[] sums = new double[rows];
    FrameSums adder = new FrameSums();
    for (int turn = 0; turn < 2; turn++) { // nothing is left of the first
      adder.add(cells, firsts, ends, rows, sums);
      for (int i = 0; i < rows; i++) {
        double expected = 0;
        for (int k = firsts[i]; k < ends[i]; k++) {
          expected += cells[k];
        }
        assertThat(Double.doubleToLongBits(sums[i]))
            .as("row %d", i)
            .isEqualTo(Double.doubleToLongBits(expected));
      }
    }
  }
}
