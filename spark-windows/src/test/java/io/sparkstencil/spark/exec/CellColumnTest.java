/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.segment.Halo;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each cell of a column is compared with that of a list: a fault may be in a single one. */
final class CellColumnTest {
  /** The column grows five times, and an index has more bits than a byte or a small block. */
  private static final int CELLS = 2100;

  /** Returns the bits of a cell that is not 0, and is another for each number. */
  private static long bits(ElementType type, int number) {
    return switch (type) {
      case F32 -> Float.floatToRawIntBits(number + 0.5f);
      case F64 -> Double.doubleToRawLongBits(number + 0.1);
      case I32 -> -1 - number;
      case I64 -> (number + 1L) << 33 | number;
    };
  }

  /** Appends a cell in the way of its type. */
  private static void add(CellColumn column, Long bits) {
    if (bits == null) {
      column.addNull();
      return;
    }
    switch (column.type()) {
      case F32 -> column.addBits(bits);
      case F64 -> column.add(Double.longBitsToDouble(bits));
      case I32 -> column.add((int) (long) bits);
      case I64 -> column.add((long) bits);
    }
  }

  private static CellColumn of(ElementType type, List<Long> cells) {
    CellColumn column = new CellColumn(type, 0);
    cells.forEach(each -> add(column, each));
    return column;
  }

  /** Returns the bits of each cell, null for a null, whose cell in the array has to be 0. */
  private static List<Long> cells(CellColumn column) {
    List<Long> cells = new ArrayList<>();
    for (int i = 0; i < column.length(); i++) {
      if (column.isNull(i)) {
        assertThat(column.bits(i)).as("null %s", i).isZero();
      }
      cells.add(column.isNull(i) ? null : column.bits(i));
    }
    return cells;
  }

  private static List<Long> cells(ElementType type, Halo halo) {
    CellColumn column = new CellColumn(type, 0);
    column.addArray(halo.cells(), 0, halo.length());
    for (int i = 0; i < halo.length(); i++) {
      if (halo.validity() != null && halo.validity()[i] == 0) {
        column.setNull(i);
      }
    }
    return cells(column);
  }

  /** Returns cells of which each third, from one on, is null. */
  private static List<Long> thirdsNull(ElementType type, int first) {
    return IntStream.range(0, CELLS)
        .mapToObj(i -> i % 3 == first ? null : (Long) bits(type, i))
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void eachCellIsNullOrHasItsBits(ElementType type) {
    for (int first = 0; first < 3; first++) {
      List<Long> expected = thirdsNull(type, first);
      CellColumn column = of(type, expected);
      assertThat(cells(column)).isEqualTo(expected);
      assertThat(cells(type, column.halo(first, CELLS - 7)))
          .isEqualTo(expected.subList(first, first + CELLS - 7));
      assertThat(column.bytes())
          .isEqualTo(
              Array.getLength(column.array()) * (long) type.bytes() + column.validity().length);
    }
  }

  @ParameterizedTest
  @EnumSource
  void columnsWithoutNullsHaveNoValidity(ElementType type) {
    List<Long> expected = IntStream.range(0, CELLS).mapToObj(i -> bits(type, i)).toList();
    CellColumn column = of(type, expected);
    assertThat(cells(column)).isEqualTo(expected);
    assertThat(column.validity()).isNull();
    assertThat(column.halo(5, 100).validity()).isNull();
    assertThat(column.bytes()).isEqualTo(Array.getLength(column.array()) * (long) type.bytes());
  }

  @ParameterizedTest
  @EnumSource
  void eachCellMayBecomeThatOfAnother(ElementType type) {
    List<Long> expected = thirdsNull(type, 1);
    CellColumn from = of(type, expected);
    CellColumn column = new CellColumn(type, 0);
    column.reserve(CELLS);
    IntStream.range(0, CELLS).forEach(i -> column.set(CELLS - 1 - i, from, i));
    List<Long> backwards = new ArrayList<>(expected);
    Collections.reverse(backwards);
    assertThat(cells(column)).isEqualTo(backwards);
  }

  @ParameterizedTest
  @EnumSource
  void columnsThatGrowAndShrinkAtRandomHaveTheCellsOfAList(ElementType type) {
    Random random = new Random(49);
    List<Long> expected = new ArrayList<>();
    CellColumn column = new CellColumn(type, 0);
    for (int step = 0; step < 300; step++) {
      int count = random.nextInt(60);
      List<Long> more = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        boolean isNull = step % 100 > 30 && random.nextInt(4) == 0;
        more.add(isNull ? null : (Long) bits(type, 100 * step + i));
      }
      switch (random.nextInt(4)) {
        case 0 -> more.forEach(each -> add(column, each));
        case 1 -> column.addAll(of(type, more), 0, count);
        case 2 -> {
          List<Long> values = more.stream().filter(each -> each != null).toList();
          column.addArray(of(type, values).array(), 0, values.size());
          more = values;
        }
        default -> {
          CellColumn beside = of(type, expected);
          beside.addAll(of(type, more), 0, count);
          column.addAll(beside, expected.size(), count);
        }
      }
      expected.addAll(more);
      if (random.nextInt(5) == 0) {
        int gone = random.nextInt(10) == 0 ? expected.size() : random.nextInt(expected.size() + 1);
        column.removeFirst(gone);
        expected.subList(0, gone).clear();
      }
      assertThat(cells(column)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void columnsThatAreClearedAreAsNewOnes(ElementType type) {
    CellColumn column = new CellColumn(type, 100);
    for (int i = 0; i < 90; i++) {
      column.addBits(-1);
    }
    column.setNull(7);
    Object array = column.array();

    column.clear();
    assertThat(column.length()).isZero();
    assertThat(column.validity()).isNull();
    column.addBits(3);
    column.addNull();
    assertThat(column.array()).isSameAs(array);
    assertThat(column.bits(0)).isEqualTo(3);
    assertThat(column.isNull(0)).isFalse();
    assertThat(column.bits(1)).isZero();
    assertThat(column.isNull(1)).isTrue();
  }
}
