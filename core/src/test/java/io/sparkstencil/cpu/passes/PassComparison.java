/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import io.sparkstencil.model.ElementType;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;

/** Compares sliding passes with vectors with those with plain loops. */
final class PassComparison {
  /** Where the first frame begins. */
  static final int FROM = 3;

  private static final int AT = 5;

  private final ElementType type;
  private final CellPasses vectors;
  private final CellPasses loops;

  PassComparison(ElementType type) {
    this.type = type;
    vectors = VectorPasses.of(type);
    loops = CellPasses.loops(type);
  }

  /** Returns cells for {@code n} outputs. */
  Object cells(int n, int width, IntToDoubleFunction cell) {
    int count = FROM + n + width - 1 + CellPasses.SLACK;
    Object cells = type.newArray(count);
    for (int i = 0; i < count; i++) {
      set(cells, i, cell.applyAsDouble(i));
    }
    return cells;
  }

  /** Returns cells of integers, or of floating-point numbers, by their bits. */
  Object bits(int n, int width, IntToLongFunction bits) {
    int count = FROM + n + width - 1 + CellPasses.SLACK;
    Object cells = type.newArray(count);
    for (int i = 0; i < count; i++) {
      long cell = bits.applyAsLong(i);
      switch (type) {
        case F32 -> ((float[]) cells)[i] = Float.intBitsToFloat((int) cell);
        case F64 -> ((double[]) cells)[i] = Double.longBitsToDouble(cell);
        case I32 -> ((int[]) cells)[i] = (int) cell;
        case I64 -> ((long[]) cells)[i] = cell;
      }
    }
    return cells;
  }

  private void set(Object cells, int i, double cell) {
    switch (type) {
      case F32 -> ((float[]) cells)[i] = (float) cell;
      case F64 -> ((double[]) cells)[i] = cell;
      case I32 -> ((int[]) cells)[i] = (int) cell;
      case I64 -> ((long[]) cells)[i] = (long) cell;
    }
  }

  /**
   * Returns how sums or means of frames differ. Every NaN is as good as another; the zeros are not,
   * nor is a cell written at either end.
   */
  Optional<String> differenceOfSums(Object cells, int width, int divisor, int n) {
    Object expected = results(n);
    Object actual = results(n);
    loops.slidingSum(cells, FROM, width, divisor, expected, AT, n);
    vectors.slidingSum(cells, FROM, width, divisor, actual, AT, n);
    return difference("sum", width, n, actual, expected);
  }

  /** Returns how the least or greatest cells of frames differ. */
  Optional<String> differenceOfExtrema(Object cells, int width, boolean greatest, int n) {
    Object expected = results(n);
    Object actual = results(n);
    loops.slidingExtremum(cells, FROM, width, greatest, expected, AT, n);
    vectors.slidingExtremum(cells, FROM, width, greatest, actual, AT, n);
    return difference(greatest ? "maximum" : "minimum", width, n, actual, expected);
  }

  private Object results(int n) {
    Object results = type.newArray(AT + n + 1);
    set(results, AT - 1, 77);
    set(results, AT + n, 78);
    return results;
  }

  private Optional<String> difference(
      String what, int width, int n, Object actual, Object expected) {
    boolean equal =
        switch (type) {
          case F32 -> Arrays.equals((float[]) actual, (float[]) expected);
          case F64 -> Arrays.equals((double[]) actual, (double[]) expected);
          case I32 -> Arrays.equals((int[]) actual, (int[]) expected);
          case I64 -> Arrays.equals((long[]) actual, (long[]) expected);
        };
    if (equal) {
      return Optional.empty();
    }
    int first = 0;
    while (Array.get(actual, first).equals(Array.get(expected, first))) {
      first++;
    }
    return Optional.of(
        "%s of %s, width %d, %d outputs, cell %d: %s where it should be %s"
            .formatted(
                what,
                type,
                width,
                n,
                first - AT,
                Array.get(actual, first),
                Array.get(expected, first)));
  }

  /**
   * Prints what differs over cells with bits that are NaN to some code, then the bits of a vector.
   * Its own program, to run as a JVM leaves passes before it compiles them, or compiles them for
   * other vectors. Arguments: how often to compare.
   */
  public static void main(String[] arguments) {
    int rounds = Integer.parseInt(arguments[0]);
    boolean few = rounds == 1; // the interpreter is slow
    int most = few ? 336 : 1344;
    int[] widths =
        few
            ? new int[] {2, 9, 17, 18, 33, 100}
            : new int[] {2, 5, 9, 16, 17, 18, 19, 33, 64, 100, 137, 300};
    for (ElementType type : ElementType.values()) {
      PassComparison comparison = new PassComparison(type);
      for (int round = 0; round < rounds; round++) {
        for (int width : widths) {
          comparison.print(width, 128);
        }
        comparison.print(17 + round, most);
        comparison.print(300, most);
      }
    }
    System.out.print(VectorPasses.bits());
  }

  private void print(int width, int n) {
    SplittableRandom random = new SplittableRandom(width);
    Object whole = cells(n, width, i -> random.nextInt(2000) - 1000);
    print(differenceOfSums(whole, width, 1, n));
    if (type.isFloating()) {
      printSums(cells(n, width, i -> i % 90 == 7 ? Double.NEGATIVE_INFINITY : i), width, n);
      printSums(cells(n, width, i -> i % 80 == 3 ? Double.NaN : i), width, n);
      printExtrema(cells(n, width, i -> i % 50 == 20 ? 0.0 : -1), width, n);
      printExtrema(cells(n, width, i -> i % 50 == 20 ? -0.0 : 0.0), width, n);
      printExtrema(cells(n, width, i -> i % 70 == 20 ? Double.NaN : i), width, n);
      printExtrema(bits(n, width, i -> i % 70 == 20 ? -1 : i), width, n);
    } else {
      long most = type.bytes() == 4 ? Integer.MAX_VALUE : Long.MAX_VALUE;
      List<Object> series =
          List.of(
              bits(n, width, i -> -1),
              bits(n, width, i -> -1 - random.nextInt(3)),
              bits(n, width, i -> most),
              bits(n, width, i -> random.nextLong()));
      for (Object cells : series) {
        printSums(cells, width, n);
        printExtrema(cells, width, n);
      }
    }
  }

  private void printSums(Object cells, int width, int n) {
    print(differenceOfSums(cells, width, 1, n));
    if (!type.isFloating()) {
      print(differenceOfSums(cells, width, width, n));
    }
  }

  private void printExtrema(Object cells, int width, int n) {
    print(differenceOfExtrema(cells, width, false, n));
    print(differenceOfExtrema(cells, width, true, n));
  }

  private static void print(Optional<String> difference) {
    difference.ifPresent(System.out::println);
  }
}
