/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** The stored numbers that stand for missing values: some single ones, and all outside a range. */
final class MissingNumbers {
  private final CellType type;
  private final long[] integers;
  private final long least;
  private final long most;
  private final double[] floats;
  private final double lowest;
  private final double highest;

  /** Finds the numbers that packing says. */
  MissingNumbers(CellPacking packing) {
    type = packing.read();
    IntegerCells cells = new IntegerCells(packing.stored(), type);
    boolean floating = type.isFloating();
    List<Number> single = packing.missing();
    Optional<Number> low = packing.limitsUnpacked() ? Optional.empty() : packing.low();
    Optional<Number> high = packing.limitsUnpacked() ? Optional.empty() : packing.high();
    floats = floating ? single.stream().mapToDouble(this::held).toArray() : new double[0];
    lowest = low.filter(number -> floating).map(this::held).orElse(Double.NEGATIVE_INFINITY);
    highest = high.filter(number -> floating).map(this::held).orElse(Double.POSITIVE_INFINITY);
    integers =
        floating
            ? new long[0]
            : single.stream()
                .flatMap(number -> cells.cell(number).stream())
                .mapToLong(Long::longValue)
                .toArray();
    least =
        low.filter(number -> !floating)
            .map(number -> cells.limit(number, RoundingMode.CEILING))
            .orElseGet(cells::lowest);
    most =
        high.filter(number -> !floating)
            .map(number -> cells.limit(number, RoundingMode.FLOOR))
            .orElseGet(cells::highest);
  }

  /** Returns a number as cells hold it. */
  private double held(Number number) {
    return type.rounded(number);
  }

  /** Returns whether a number in a file is one of them; NaN is one that needs no decoding. */
  boolean holds(CellFormat format, ByteBuffer from, int at) {
    return type.isFloating() ? holds(format.floating(from, at)) : holds(format.integer(from, at));
  }

  /**
   * Makes NaN of those of them among decoded cells, if the cells are the numbers themselves.
   *
   * @param cells a {@code float[]} or {@code double[]}
   * @return false, with nothing done, if the numbers may have been rounded
   */
  boolean replace(Object cells, int at, int count) {
    if (!type.isFloating()) {
      return false;
    }
    if (cells instanceof double[] doubles) {
      for (int i = at; i < at + count; i++) {
        doubles[i] = holds(doubles[i]) ? Double.NaN : doubles[i];
      }
      return true;
    }
    if (type.bytes() > Float.BYTES) {
      return false;
    }
    float[] narrow = (float[]) cells;
    for (double each : floats) {
      float number = (float) each; // exactly, as cells have it
      for (int i = at; i < at + count; i++) {
        narrow[i] = narrow[i] == number ? Float.NaN : narrow[i];
      }
    }
    if (lowest > Double.NEGATIVE_INFINITY || highest < Double.POSITIVE_INFINITY) {
      for (int i = at; i < at + count; i++) {
        narrow[i] = narrow[i] < lowest || narrow[i] > highest ? Float.NaN : narrow[i];
      }
    }
    return true;
  }

  private boolean holds(double number) {
    for (double each : floats) {
      if (number == each) {
        return true;
      }
    }
    return number < lowest || number > highest;
  }

  private boolean holds(long number) {
    for (long each : integers) {
      if (number == each) {
        return true;
      }
    }
    return type == CellType.UINT64
        ? Long.compareUnsigned(number, least) < 0 || Long.compareUnsigned(number, most) > 0
        : number < least || number > most;
  }
}
