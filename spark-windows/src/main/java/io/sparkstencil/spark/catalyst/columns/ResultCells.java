/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import java.lang.reflect.Array;
import java.util.Arrays;

/** Results of a stencil for some rows. */
final class ResultCells {
  private final Object array;
  private final byte[] validity;
  private final boolean[] overflows;
  private final int from;
  private final int rows;

  /**
   * Creates a view of results.
   *
   * @param array the cells: a primitive array
   * @param validity 1 for each cell and 0 for each null, or null if no cell is null
   * @param overflows for each row whether its sum overflows, or null if none does
   * @param from the cell of the first row
   * @param rows how many there are
   */
  ResultCells(Object array, byte[] validity, boolean[] overflows, int from, int rows) {
    this.array = array;
    this.validity = validity;
    this.overflows = overflows;
    this.from = from;
    this.rows = rows;
  }

  /** Returns the results of several runs of rows, one after the other. */
  static ResultCells joined(ResultCells[] runs) {
    int rows = Arrays.stream(runs).mapToInt(run -> run.rows).sum();
    Object array = Array.newInstance(runs[0].array.getClass().getComponentType(), rows);
    byte[] validity = null;
    boolean[] overflows = null;
    int at = 0;
    for (ResultCells run : runs) {
      System.arraycopy(run.array, run.from, array, at, run.rows);
      if (run.validity != null) {
        if (validity == null) {
          validity = new byte[rows];
          Arrays.fill(validity, (byte) 1);
        }
        System.arraycopy(run.validity, run.from, validity, at, run.rows);
      }
      if (run.overflows != null) {
        overflows = overflows == null ? new boolean[rows] : overflows;
        System.arraycopy(run.overflows, 0, overflows, at, run.rows);
      }
      at += run.rows;
    }
    return new ResultCells(array, validity, overflows, 0, rows);
  }

  Object array() {
    return array;
  }

  byte[] validity() {
    return validity;
  }

  /** Returns for each row whether its sum overflows, or null if none does. */
  boolean[] overflows() {
    return overflows;
  }

  int from() {
    return from;
  }

  int rows() {
    return rows;
  }
}
