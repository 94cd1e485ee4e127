/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.CancelledException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions of frames that move find what is found by going through each frame afresh. */
final class MovingFunctionTest {
  private static final int WIDE = 50_000;

  /** A function of frames, and the one that goes through all their rows. */
  private record Case(
      String name,
      Supplier<MovingFunction> moving,
      Supplier<CumulativeFunction> afresh,
      ElementType cells,
      ElementType results) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    return Stream.concat(sums(), values());
  }

  private static Stream<Case> sums() {
    ElementType i64 = ElementType.I64;
    ElementType f64 = ElementType.F64;
    return Stream.of(
        new Case(
            "count",
            () -> new MovingCount(List.of(0)),
            () -> new CountFunction(List.of(0)),
            f64,
            i64),
        new Case(
            "sum",
            () -> new MovingDoubles(0, false),
            () -> new SumFunction.Doubles(0, false),
            f64,
            f64),
        new Case(
            "mean",
            () -> new MovingDoubles(0, true),
            () -> new SumFunction.Doubles(0, true),
            f64,
            f64),
        new Case(
            "sum of integers",
            () -> new MovingIntegers(0, false, false),
            () -> new SumFunction.Longs(0, false),
            i64,
            i64),
        new Case(
            "deviation",
            () -> new MovingVariance(0, MomentFunction.Result.DEVIATION, true, true),
            () -> new MomentFunction(0, -1, MomentFunction.Result.DEVIATION, true, true, null),
            f64,
            f64),
        new Case(
            "variance of all",
            () -> new MovingVariance(0, MomentFunction.Result.VARIANCE, false, false),
            () -> new MomentFunction(0, -1, MomentFunction.Result.VARIANCE, false, false, null),
            f64,
            f64));
  }

  private static Stream<Case> values() {
    ElementType i32 = ElementType.I32;
    ElementType i64 = ElementType.I64;
    ElementType f64 = ElementType.F64;
    return Stream.of(
        new Case(
            "least",
            () -> new MovingExtreme.Doubles(0, true),
            () -> new ExtremeFunction.Doubles(0, true),
            f64,
            f64),
        new Case(
            "greatest",
            () -> new MovingExtreme.Longs(0, false),
            () -> new ExtremeFunction.Longs(0, false),
            i64,
            i32),
        new Case(
            "third",
            () -> new MovingPick(0, 3, true),
            () -> new PickFunction(0, 3, true),
            f64,
            f64),
        new Case(
            "first",
            () -> new MovingPick(0, 1, false),
            () -> new PickFunction(0, 1, false),
            i64,
            i64),
        new Case(
            "last",
            () -> new MovingPick(0, PickFunction.LAST, true),
            () -> new PickFunction(0, PickFunction.LAST, true),
            i64,
            i64));
  }

  private static CellColumn cells(ElementType type, Random random, int rows) {
    CellColumn cells = new CellColumn(type, rows);
    boolean nulls = random.nextBoolean();
    for (int i = 0; i < rows; i++) {
      if (nulls && random.nextInt(4) == 0) {
        cells.addNull();
      } else if (type == ElementType.F64) {
        double[] odd = {-0.0, 0.0, Double.NaN, 1e300, -1e300, Double.POSITIVE_INFINITY};
        cells.add(random.nextInt(40) == 0 ? odd[random.nextInt(6)] : random.nextGaussian());
      } else {
        cells.add(random.nextLong() >> random.nextInt(60));
      }
    }
    return cells;
  }

  /** Returns the bits of all cells, with one NaN for those that processors choose among. */
  private static List<String> texts(CellColumn column) {
    return CumulativeFunctionTest.texts(column).stream()
        .map(each -> each.equals("fff8000000000000") ? "7ff8000000000000" : each)
        .toList();
  }

  /** Frames that are given, and not found. */
  private static final class Given extends FrameEnds {
    private final int[][] frames;

    Given(int[][] frames) {
      this.frames = frames;
    }

    @Override
    int needed() {
      return first();
    }

    @Override
    void move(FrameCells cells, int row) {
      set(frames[row][0], frames[row][1]);
    }
  }

  private static int[][] frames(Random random, int rows, int wide) {
    int[][] frames = new int[rows][];
    int first = 0;
    int end = 0;
    for (int i = 0; i < rows; i++) {
      end = Math.min(rows, Math.max(end, i + wide / 2 + random.nextInt(3)));
      first = Math.min(end, Math.max(first, i - wide / 2 + random.nextInt(3)));
      frames[i] = new int[] {first, end};
    }
    return frames;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void framesAreFoundAsAfresh(Case of) {
    Random random = new Random(of.name().hashCode());
    MovingFunction moving = of.moving().get();
    CumulativeFunction afresh = of.afresh().get();
    for (int series = 0; series < 40; series++) {
      int rows = 1 + random.nextInt(300);
      CellColumn[] cells = {cells(of.cells(), random, rows)};
      int[][] frames = frames(random, rows, new int[] {-6, 1, 5, 30, 170}[random.nextInt(5)]);
      Given ends = new Given(frames);
      ends.begin();
      moving.begin(rows);
      CellColumn found = new CellColumn(of.results(), 1);
      for (int from = 0; from < rows; ) {
        int count = Math.min(rows - from, 1 + random.nextInt(200));
        assertThat(ends.find(null, from, count)).isEqualTo(count);
        moving.run(cells, ends, count, found);
        from += count;
      }
      CellColumn expected = new CellColumn(of.results(), 1);
      for (int[] frame : frames) {
        afresh.begin(rows);
        afresh.add(new SeriesSlice(cells, null), frame[0], frame[1]);
        afresh.append(1, expected);
      }
      assertThat(texts(found)).isEqualTo(texts(expected));
    }
  }

  /** The sum of whole numbers is exact in double, or is added as Spark adds it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 9, 12, 20, 45})
  void meansOfIntegersAreThoseOfDoubles(int shift) {
    Random random = new Random(shift);
    CellColumn whole = new CellColumn(ElementType.I64, 500);
    CellColumn real = new CellColumn(ElementType.F64, 500);
    for (int i = 0; i < 500; i++) {
      long value = i % 7 == 3 && shift == 0 ? Long.MIN_VALUE : random.nextLong() >> shift;
      whole.add(value);
      real.add((double) value);
    }
    Given ends = new Given(frames(random, 500, 40));
    ends.find(null, 0, 500);
    CellColumn found = new CellColumn(ElementType.F64, 500);
    CellColumn expected = new CellColumn(ElementType.F64, 500);
    new MovingIntegers(0, true, false).run(new CellColumn[] {whole}, ends, 500, found);
    new MovingDoubles(0, true).run(new CellColumn[] {real}, ends, 500, expected);
    assertThat(texts(found)).isEqualTo(texts(expected));
  }

  @Test
  void checkedSumsFailWhereTheyOverflowOnTheirWay() {
    CellColumn values = new CellColumn(ElementType.I64, 64);
    for (long each : new long[] {5, Long.MAX_VALUE, 3, -9, 1, Long.MIN_VALUE, -1, 2}) {
      values.add(each);
    }
    int[][] frames = new int[8][];
    for (int i = 0; i < 8; i++) {
      frames[i] = new int[] {Math.max(0, i - 2), i + 1};
    }
    Given ends = new Given(frames);
    ends.find(null, 0, 8);
    CellColumn sums = new CellColumn(ElementType.I64, 64);
    MovingIntegers sum = new MovingIntegers(0, false, true);
    sum.run(new CellColumn[] {values}, ends, 8, sums);
    assertThat(sum.overflows())
        .startsWith(false, true, true, true, false, true, false, true, false);
    assertThat(((long[]) sums.array())[3]).isEqualTo(Long.MAX_VALUE - 6);
  }

  /** Frames end together, and cells are taken out between the batches. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 6, 30})
  void checkedSumsToTheLastRowFailWhereTheyOverflowOnTheirWay(int shift) {
    Random random = new Random(shift);
    int rows = 400;
    CellColumn values = cells(ElementType.I64, random, rows);
    for (int i = 0; i < rows; i++) {
      ((long[]) values.array())[i] = values.isNull(i) ? 0 : random.nextLong() >> shift;
    }
    CellColumn all = new CellColumn(ElementType.I64, rows);
    all.addAll(values, 0, rows);
    int[][] frames = new int[rows][];
    for (int i = 0; i < rows; i++) {
      frames[i] = new int[] {Math.max(0, i - 2), rows};
    }
    Given ends = new Given(frames);
    MovingIntegers moving = new MovingIntegers(0, false, true);
    moving.begin(rows);
    SumFunction.Longs afresh = new SumFunction.Longs(0, true);
    int removed = 0;
    for (int from = 0; from < rows; from += 50) {
      int out = Math.max(0, from - 2 - removed) / 50 * 50;
      values.removeFirst(out);
      moving.moved(out);
      for (int[] each : frames) {
        each[0] -= out;
        each[1] -= out;
      }
      removed += out;
      ends.find(null, from, 50);
      moving.open();
      CellColumn sums = new CellColumn(ElementType.I64, 50);
      moving.run(new CellColumn[] {values}, ends, 50, sums);
      for (int i = 0; i < 50; i++) {
        CellColumn sum = new CellColumn(ElementType.I64, 1);
        afresh.open();
        afresh.begin(rows);
        afresh.add(new SeriesSlice(new CellColumn[] {all}, null), Math.max(0, from + i - 2), rows);
        afresh.append(1, sum);
        assertThat(sums.bits(i)).isEqualTo(sum.bits(0));
        assertThat(moving.overflows() != null && moving.overflows()[i])
            .as("row %d", from + i)
            .isEqualTo(afresh.overflows() != null);
      }
    }
  }

  /** One batch has thousands of frames, each as wide as its series may be. */
  @ParameterizedTest
  @ValueSource(strings = {"sum", "mean", "variance of all", "mean of integers", "checked sum"})
  void wideFramesEndWhenTheirWorkIsNotWanted(String name) {
    MovingFunction moving =
        switch (name) {
          case "mean of integers" -> new MovingIntegers(0, true, false);
          case "checked sum" -> new MovingIntegers(0, false, true);
          default ->
              cases().filter(each -> each.name().equals(name)).findAny().get().moving().get();
        };
    boolean whole = moving instanceof MovingIntegers;
    CellColumn cells = new CellColumn(whole ? ElementType.I64 : ElementType.F64, WIDE);
    for (int i = 0; i < WIDE; i++) {
      if (whole) {
        cells.add(i % 2 == 0 ? Long.MAX_VALUE : Long.MIN_VALUE);
      } else {
        cells.add((double) i);
      }
    }
    int count = 200;
    int[][] frames = new int[count][];
    for (int i = 0; i < count; i++) {
      frames[i] = new int[] {i, WIDE - count + i};
    }
    Given ends = new Given(frames);
    ends.find(null, 0, count);
    moving.begin(WIDE);
    CellColumn to =
        new CellColumn(whole && name.startsWith("c") ? ElementType.I64 : ElementType.F64, count);
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(() -> moving.run(new CellColumn[] {cells}, ends, count, to))
          .isInstanceOf(CancelledException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /** Sums and variances of frames that are added in pieces are those added at once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 9, 200})
  void wideFramesAreFoundAsAfresh(int count) {
    Random random = new Random(count);
    CellColumn[] cells = {new CellColumn(ElementType.F64, WIDE)};
    for (int i = 0; i < WIDE; i++) {
      cells[0].add(random.nextGaussian());
    }
    int[][] frames = new int[count][];
    for (int i = 0; i < count; i++) {
      frames[i] = new int[] {3 * i, WIDE - count + i};
    }
    for (Case of : cases().filter(each -> each.cells() == ElementType.F64).toList()) {
      Given ends = new Given(frames);
      ends.find(null, 0, count);
      MovingFunction moving = of.moving().get();
      moving.begin(WIDE);
      CellColumn found = new CellColumn(of.results(), count);
      moving.run(cells, ends, count, found);
      CumulativeFunction afresh = of.afresh().get();
      CellColumn expected = new CellColumn(of.results(), count);
      for (int[] frame : frames) {
        afresh.begin(WIDE);
        afresh.add(new SeriesSlice(cells, null), frame[0], frame[1]);
        afresh.append(1, expected);
      }
      assertThat(texts(found)).as(of.name()).isEqualTo(texts(expected));
    }
  }
}
