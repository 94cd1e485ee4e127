/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.ElementType;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
  private static final int MOST_CELLS = MANY_OUTPUTS + 5000;
  private static final int FROM = 3;
  private static final int AT = 5;

  private final PassChoice vectors = PassChoice.of(Map.of("spark.stencil.cpu.vectors", "true"));
  private final PassChoice loops = PassChoice.of(Map.of("spark.stencil.cpu.vectors", "false"));

  @ParameterizedTest
  @EnumSource
  void sumsAreThoseOfPlainLoops(ElementType type) {
    Random random = new Random(20261121);
    Object cells = cells(type, i -> random.nextInt(2000) - 1000);
    CellPasses passes = vectors.passes(type);
    CellPasses expected = loops.passes(type);
    forEachSize(
        (width, n) -> {
          // Sums of such cells are exact in any order.
          Object wanted = results(type, n);
          Object sums = results(type, n);
          expected.slidingSum(cells, FROM, width, 1, wanted, AT, n);
          passes.slidingSum(cells, FROM, width, 1, sums, AT, n);
          assertEqual(type, width, n, sums, wanted);
        });
  }

  private static void forEachSize(BiConsumer<Integer, Integer> check) {
    for (int width = 1; width <= WIDEST_OF_ALL; width++) {
      for (int n : OUTPUTS) {
        check.accept(width, n);
      }
    }
    for (int width : SOME_WIDTHS) {
      check.accept(width, OUTPUTS[0]);
      check.accept(width, MANY_OUTPUTS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void extremaAreThoseOfPlainLoops(ElementType type) {
    Random random = new Random(20261122);
    assertExtremaEqual(type, cells(type, i -> random.nextInt()));
  }

  @ParameterizedTest
  @EnumSource(
      value = ElementType.class,
      names = {"F32", "F64"})
  void extremaOfOddCellsAreThoseOfPlainLoops(ElementType type) {
    Random random = new Random(20261123);
    double negativeNan = Float.intBitsToFloat(0xffc00001);
    double[] odd = {-0.0, 0.0, Double.NaN, negativeNan, Double.NEGATIVE_INFINITY, 1, -1};
    assertExtremaEqual(type, cells(type, i -> odd[random.nextInt(odd.length)]));
    assertExtremaEqual(type, cells(type, i -> random.nextInt(400) == 0 ? -0.0 : 0.0));
    assertExtremaEqual(
        type, cells(type, i -> random.nextInt(400) == 0 ? negativeNan : random.nextGaussian()));
  }

  private void assertExtremaEqual(ElementType type, Object cells) {
    CellPasses passes = vectors.passes(type);
    CellPasses expected = loops.passes(type);
    forEachSize(
        (width, n) -> {
          boolean greatest = (width + n / 64) % 2 == 0;
          Object wanted = results(type, n);
          Object chosen = results(type, n);
          expected.slidingExtremum(cells, FROM, width, greatest, wanted, AT, n);
          passes.slidingExtremum(cells, FROM, width, greatest, chosen, AT, n);
          assertEqual(type, width, n, chosen, wanted);
        });
  }

  /** As many cells as the widest frame of the most outputs may read. */
  private static Object cells(ElementType type, IntToDoubleFunction cell) {
    int count = FROM + MOST_CELLS + CellPasses.SLACK;
    Object cells = type.newArray(count);
    for (int i = 0; i < count; i++) {
      set(type, cells, i, cell.applyAsDouble(i));
    }
    return cells;
  }

  private static void set(ElementType type, Object cells, int i, double cell) {
    switch (type) {
      case F32 -> ((float[]) cells)[i] = (float) cell;
      case F64 -> ((double[]) cells)[i] = cell;
      case I32 -> ((int[]) cells)[i] = (int) cell;
      case I64 -> ((long[]) cells)[i] = (long) cell;
    }
  }

  private static Object results(ElementType type, int n) {
    Object results = type.newArray(AT + n + 1);
    set(type, results, AT - 1, 77);
    set(type, results, AT + n, 78);
    return results;
  }

  /** Every NaN is as good as another; the zeros are not, nor is a cell written at either end. */
  private static void assertEqual(
      ElementType type, int width, int n, Object actual, Object expected) {
    boolean equal =
        switch (type) {
          case F32 -> Arrays.equals((float[]) actual, (float[]) expected);
          case F64 -> Arrays.equals((double[]) actual, (double[]) expected);
          case I32 -> Arrays.equals((int[]) actual, (int[]) expected);
          case I64 -> Arrays.equals((long[]) actual, (long[]) expected);
        };
    if (!equal) {
      int first = 0;
      while (Array.get(actual, first).equals(Array.get(expected, first))) {
        first++;
      }
      assertThat(Array.get(actual, first))
          .as("%s, width %d, %d outputs, cell %d", type, width, n, first - AT)
          .isEqualTo(Array.get(expected, first));
    }
  }
}
