/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.columns.ColumnarLayout;
import io.sparkstencil.spark.exec.CellColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Functions give the same results in whatever pieces rows come, one by one or many at once. */
final class CumulativeFunctionTest {
  private static final double[] DOUBLES = {0.0, -0.0, Double.NaN, 1e300, -1e300, 0.1, 0.2, -3};

  /**
   * A function.
   *
   * @param cells the type of its values, which are column 0
   */
  private record Case(
      String name, Supplier<CumulativeFunction> function, ElementType cells, ElementType results) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> cases() {
    ElementType i32 = ElementType.I32;
    ElementType i64 = ElementType.I64;
    ElementType f64 = ElementType.F64;
    return Stream.of(
        new Case("row number", RankFunction.RowNumber::new, i64, i32),
        new Case("rank", RankFunction.Rank::new, i64, i32),
        new Case("dense rank", RankFunction.DenseRank::new, i64, i32),
        new Case("tile", () -> new RankFunction.Tile(7), i64, i32),
        new Case("percent rank", RankFunction.PercentRank::new, i64, f64),
        new Case("count", () -> new CountFunction(List.of(0)), i64, i64),
        new Case("rows", () -> new CountFunction(List.of()), i64, i64),
        new Case("sum", () -> new SumFunction.Doubles(0, false), f64, f64),
        new Case("mean", () -> new SumFunction.Doubles(0, true), f64, f64),
        new Case("wrapping sum", () -> new SumFunction.Longs(0, false), i64, i64),
        new Case("least", () -> new ExtremeFunction.Doubles(0, true), f64, ElementType.F32),
        new Case("greatest", () -> new ExtremeFunction.Longs(0, false), i64, i64),
        new Case("third", () -> new PickFunction(0, 3, true), f64, f64),
        new Case("last", () -> new PickFunction(0, PickFunction.LAST, false), i64, i64));
  }

  private static CellColumn cells(ElementType type, Random random, int rows) {
    CellColumn cells = new CellColumn(type, rows);
    for (int i = 0; i < rows; i++) {
      if (random.nextInt(4) == 0) {
        cells.addNull();
      } else if (type == ElementType.F64) {
        cells.add(DOUBLES[random.nextInt(DOUBLES.length)]);
      } else {
        cells.add(random.nextLong());
      }
    }
    return cells;
  }

  static List<String> texts(CellColumn column) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < column.length(); i++) {
      texts.add(column.isNull(i) ? "null" : Long.toHexString(column.bits(i)));
    }
    return texts;
  }

  /** One row after the other, each with the value after it, is what a run of them gives. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void rowsMayComeInPieces(Case of) {
    Random random = new Random(of.name().hashCode());
    CumulativeFunction inPieces = of.function().get();
    CumulativeFunction rowByRow = of.function().get();
    for (int series = 0; series < 20; series++) {
      int rows = 1 + random.nextInt(100);
      boolean[] opens = new boolean[rows];
      for (int i = 0; i < rows; i++) {
        opens[i] = i == 0 || random.nextBoolean();
      }
      SeriesSlice piece =
          new SeriesSlice(new CellColumn[] {cells(of.cells(), random, rows)}, opens);
      CellColumn pieces = new CellColumn(of.results(), 1);
      CellColumn single = new CellColumn(of.results(), 1);
      inPieces.begin(rows);
      rowByRow.begin(rows);
      for (int from = 0; from < rows; ) {
        int until = Math.min(rows, from + 1 + random.nextInt(40));
        inPieces.run(piece, from, until, pieces);
        from = until;
      }
      for (int row = 0; row < rows; row++) {
        rowByRow.add(piece, row, row + 1);
        rowByRow.append(1, single);
      }
      assertThat(texts(pieces)).hasSize(rows).isEqualTo(texts(single));
      inPieces.append(3, pieces);
      assertThat(texts(pieces).subList(rows, rows + 3)).containsOnly(texts(single).get(rows - 1));
    }
  }

  @Test
  void rowsWithoutValuesHaveNone() {
    CellColumn nulls = new CellColumn(ElementType.F64, 3);
    nulls.addNull();
    nulls.addNull();
    nulls.add(-0.0);
    SeriesSlice piece = new SeriesSlice(new CellColumn[] {nulls}, new boolean[] {true, true, true});
    SumFunction.Doubles sum = new SumFunction.Doubles(0, false);
    CellColumn sums = new CellColumn(ElementType.F64, 3);
    sum.begin(3);
    sum.run(piece, 0, 3, sums);
    assertThat(texts(sums)).containsExactly("null", "null", "0");
  }

  /** As it is 0 then, Spark's buffer of a sum that may be null for overflow says so beside it. */
  @Test
  void sumsGoOnFromWhetherThereIsAValue() {
    CellColumn values = new CellColumn(ElementType.I64, 2);
    values.addNull();
    values.add(7L);
    SeriesSlice rows = new SeriesSlice(new CellColumn[] {values}, new boolean[] {true, true});
    for (boolean none : new boolean[] {true, false}) {
      SumFunction sum = new SumFunction.Longs(0, false);
      CellColumn sums = new CellColumn(ElementType.I64, 2);
      sum.begin(2);
      sum.resume(new Object[] {0L, none});
      sum.run(rows, 0, 2, sums);
      assertThat(texts(sums)).containsExactly(none ? "null" : "0", "7");
    }
  }

  /** A range whose rows before it have no value begins as the series does. */
  @Test
  void sumsGoOnFromNone() {
    for (ElementType type : List.of(ElementType.F64, ElementType.I64)) {
      boolean reals = type == ElementType.F64;
      CellColumn values = new CellColumn(type, 2);
      values.addNull();
      if (reals) {
        values.add(3.0);
      } else {
        values.add(3L);
      }
      SumFunction sum = reals ? new SumFunction.Doubles(0, false) : new SumFunction.Longs(0, false);
      CellColumn sums = new CellColumn(type, 2);
      sum.begin(9);
      sum.resume(new Object[] {null});
      sum.run(new SeriesSlice(new CellColumn[] {values}, new boolean[] {false, false}), 0, 2, sums);
      String three = Long.toHexString(reals ? Double.doubleToRawLongBits(3) : 3);
      assertThat(texts(sums)).containsExactly("null", three);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofZerosOfBothSignsTheFirstIsTheExtreme(boolean least) {
    for (double first : new double[] {0.0, -0.0}) {
      CellColumn zeros = new CellColumn(ElementType.F64, 2);
      zeros.add(first);
      zeros.add(-first);
      ExtremeFunction extreme = new ExtremeFunction.Doubles(0, least);
      CellColumn results = new CellColumn(ElementType.F64, 2);
      extreme.begin(2);
      extreme.run(
          new SeriesSlice(new CellColumn[] {zeros}, new boolean[] {true, true}), 0, 2, results);
      String bits = Long.toHexString(Double.doubleToRawLongBits(first));
      assertThat(texts(results)).containsExactly(bits, bits);
    }
  }

  @Test
  void checkedSumsSayWhereTheyOverflow() {
    CellColumn values = new CellColumn(ElementType.I64, 4);
    values.add(Long.MAX_VALUE);
    values.add(1L);
    values.add(-5L);
    values.add(7L);
    SeriesSlice piece =
        new SeriesSlice(new CellColumn[] {values}, new boolean[] {true, true, true, true});
    SumFunction.Longs sum = new SumFunction.Longs(0, true);
    for (int series = 0; series < 2; series++) {
      CellColumn sums = new CellColumn(ElementType.I64, 64);
      sum.open();
      sum.begin(4);
      sum.run(piece, 0, 1, sums);
      assertThat(sum.overflows()).isNull();
      sum.run(piece, 1, 4, sums);
      assertThat(sum.overflows()).startsWith(false, true, true, true, false);
    }
  }

  @Test
  void tilesHaveAsManyRowsOrOneMore() {
    RankFunction.Tile tile = new RankFunction.Tile(3);
    tile.begin(5);
    CellColumn tiles = new CellColumn(ElementType.I32, 5);
    tile.run(new SeriesSlice(new CellColumn[0], new boolean[5]), 0, 5, tiles);
    assertThat(texts(tiles)).containsExactly("1", "1", "2", "2", "3");
  }

  @Test
  void tiesAreFoundAcrossPieces() {
    CellColumn order = new CellColumn(ElementType.F64, 7);
    for (double each : new double[] {0.0, -0.0, 1, Double.NaN, Double.NaN, 0}) {
      order.add(each);
    }
    order.addNull();
    TieFinder ties =
        new TieFinder(List.of(0), List.of(ColumnarLayout.asIs(0, DataTypes.DoubleType)), null);
    boolean[] opens = new boolean[7];
    CellColumn[] columns = {order};
    ties.begin();
    for (int from : new int[] {0, 4}) {
      ties.mark(columns, from, from == 0 ? 4 : 7, opens);
    }
    assertThat(opens).containsExactly(true, false, true, true, false, true, true);
    assertThat(ties.tied(columns, 7)).isZero(); // the last row has null
  }
}
