/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sparkstencil.model.ElementType;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Sliding passes with vectors against those with plain loops: at every width up to 540, where
 * methods take turns, and at some up to 5000; few outputs, and enough for scratch memory to be used
 * many times over.
 */
class SlidingPassesTest {
  private static final int[] OUTPUTS = {64, 320, 1344};
  private static final int WIDEST_OF_ALL = 540;
  private static final int[] SOME_WIDTHS = {17, 18, 32, 33, 240, 513, 544, 545, 561, 1025, 5000};
  private static final int MANY_OUTPUTS = 20 * 1024;
  private static final int WIDEST = 5000;

  @ParameterizedTest
  @EnumSource
  void sumsAreThoseOfPlainLoops(ElementType type) {
    PassComparison comparison = new PassComparison(type);
    Random random = new Random(20261121);
    // Sums of such cells are exact in any order.
    Object cells = comparison.cells(MANY_OUTPUTS, WIDEST, i -> random.nextInt(2000) - 1000);
    forEachSize(
        (width, n) -> assertThat(comparison.differenceOfSums(cells, width, 1, n)).isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void extremaAreThoseOfPlainLoops(ElementType type) {
    Random random = new Random(20261122);
    assertExtremaEqual(type, i -> random.nextInt());
  }

  @ParameterizedTest
  @EnumSource(
      value = ElementType.class,
      names = {"F32", "F64"})
  void extremaOfOddCellsAreThoseOfPlainLoops(ElementType type) {
    Random random = new Random(20261123);
    double negativeNan = Float.intBitsToFloat(0xffc00001);
    double[] odd = {-0.0, 0.0, Double.NaN, negativeNan, Double.NEGATIVE_INFINITY, 1, -1};
    assertExtremaEqual(type, i -> odd[random.nextInt(odd.length)]);
    assertExtremaEqual(type, i -> random.nextInt(400) == 0 ? -0.0 : 0.0);
    assertExtremaEqual(type, i -> random.nextInt(400) == 0 ? negativeNan : random.nextGaussian());
  }

  @ParameterizedTest
  @EnumSource(
      value = ElementType.class,
      names = {"F32", "F64"})
  void anOddCellIsSeenWhereverItIs(ElementType type) {
    PassComparison comparison = new PassComparison(type);
    int n = 64;
    for (int width : new int[] {16, 17, 18, 32, 47, 100}) {
      for (int at = 0; at < PassComparison.FROM + n + width; at++) {
        int odd = at;
        Object zeros = comparison.cells(n, width, i -> i == odd ? -0.0 : 0.0);
        assertThat(comparison.differenceOfExtrema(zeros, width, false, n)).isEmpty();
        Object numbers = comparison.bits(n, width, i -> i == odd ? -1 : i);
        assertThat(comparison.differenceOfExtrema(numbers, width, true, n)).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1"})
  void passesAreThoseOfPlainLoopsBeforeTheyAreCompiled(String option)
      throws IOException, InterruptedException {
    assertThat(FreshJvm.run(PassComparison.class, List.of("1"), option))
        .isEqualTo(Integer.toString(VectorPasses.bits()));
  }

  @ParameterizedTest
  @ValueSource(ints = {128, 256, 512})
  void passesAreThoseOfPlainLoopsWithVectorsOfAllLengths(int bits)
      throws IOException, InterruptedException {
    assumeThat(bits).as("bits of this hardware's vectors").isLessThanOrEqualTo(VectorPasses.bits());
    String option = "-XX:MaxVectorSize=" + bits / Byte.SIZE;
    assertThat(FreshJvm.run(PassComparison.class, List.of("100"), option))
        .isEqualTo(Integer.toString(bits));
  }

  private static void assertExtremaEqual(ElementType type, IntToDoubleFunction cell) {
    PassComparison comparison = new PassComparison(type);
    Object cells = comparison.cells(MANY_OUTPUTS, WIDEST, cell);
    forEachSize(
        (width, n) -> {
          boolean greatest = (width + n / 64) % 2 == 0;
          assertThat(comparison.differenceOfExtrema(cells, width, greatest, n)).isEmpty();
        });
  }

  private static void forEachSize(BiConsumer<Integer, Integer> check) {
    for (int width = 1; width <= WIDEST_OF_ALL; width++) {
      check.accept(width, OUTPUTS[width % OUTPUTS.length]);
    }
    for (int width : SOME_WIDTHS) {
      for (int n : OUTPUTS) {
        check.accept(width, n);
      }
      check.accept(width, MANY_OUTPUTS);
    }
  }
}
