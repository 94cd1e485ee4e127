/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Decodes the numbers of a file. Missing values become NaN. Numbers are compared as they are
 * stored, integers of 64 bits too; scale and offset are applied as double, and the result is
 * rounded once where float is asked for.
 */
public final class CellMeaning {
  private final CellPacking packing;
  private final MissingNumbers missing;
  private final boolean multiplies;
  private final double scale;
  private final boolean adds;
  private final double offset;
  private final double low;
  private final double high;

  /** Decodes what was packed. */
  public CellMeaning(CellPacking packing) {
    this.packing = packing;
    missing = new MissingNumbers(packing);
    multiplies = packing.scale().isPresent();
    scale = packing.scale().orElse(1.0);
    adds = packing.offset().isPresent();
    offset = packing.offset().orElse(0.0);
    boolean limited = packing.limitsUnpacked();
    low = limited ? limit(packing.low(), Double.NEGATIVE_INFINITY) : Double.NEGATIVE_INFINITY;
    high = limited ? limit(packing.high(), Double.POSITIVE_INFINITY) : Double.POSITIVE_INFINITY;
  }

  private static double limit(Optional<Number> number, double otherwise) {
    return number.map(Number::doubleValue).orElse(otherwise);
  }

  /** Returns what was packed. */
  public CellPacking packing() {
    return packing;
  }

  /**
   * Decodes numbers.
   *
   * @param format how they are stored
   * @param bytes the numbers' bytes, from the buffer's position on; the position is not moved
   * @param to a {@code float[]} or {@code double[]}
   * @param at the index of the first cell to write
   * @param count the number of cells
   */
  public void decode(CellFormat format, ByteBuffer bytes, Object to, int at, int count) {
    CellFormat read = new CellFormat(packing.read(), format.bigEndian());
    if (!packing.scaled() && !packing.misses()) {
      read.decode(bytes, to, at, count);
      return;
    }
    ByteBuffer from = bytes.slice().order(read.order());
    int width = read.type().bytes();
    if (packing.scaled()) {
      for (int i = 0; i < count; i++) {
        put(to, at + i, scaled(read.asDouble(from, i * width)));
      }
    } else {
      read.decode(bytes, to, at, count);
      if (missing.replace(to, at, count)) {
        return;
      }
    }
    for (int i = 0; i < count; i++) {
      if (missing.holds(read, from, i * width)) {
        put(to, at + i, Double.NaN);
      }
    }
  }

  private static void put(Object to, int at, double value) {
    if (to instanceof float[] floats) {
      floats[at] = (float) value;
    } else {
      ((double[]) to)[at] = value;
    }
  }

  private double scaled(double number) {
    double product = multiplies ? number * scale : number;
    double value = adds ? product + offset : product;
    return value < low || value > high ? Double.NaN : value;
  }

  /**
   * Returns the value of a single number, as cells have it.
   *
   * @param number one that cells of the type can hold
   */
  public Number value(Number number) {
    if (!packing.scaled() && !packing.misses() && packing.read() == packing.stored()) {
      return number;
    }
    CellFormat format = new CellFormat(packing.stored(), false);
    double[] value = new double[1];
    decode(format, format.encoded(number), value, 0, 1);
    return value[0];
  }
}
