/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.spark.grid.CellFunction;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** First cells that have a name: functions that are no part of a program's text. */
enum NamedShape {
  /** A bell of height 1 in the middle; its deviation is a tenth of each axis. */
  GAUSSIAN,
  /** Four periods of a sine along the last axis. */
  PLANE_WAVE;

  private static final double DEVIATION = 0.1;
  private static final double PERIODS = 4;

  /** Returns the shape of a name, if it is one. */
  static Optional<NamedShape> named(String name) {
    return Arrays.stream(values()).filter(each -> each.label().equals(name)).findFirst();
  }

  /** Returns the name as it is written on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Returns the values of cells, the same on every machine.
   *
   * @param shape the cells along each axis
   */
  CellFunction over(List<Long> shape) {
    double[] cells = shape.stream().mapToDouble(size -> size).toArray();
    return this == GAUSSIAN
        ? position -> gaussian(position, cells)
        : position -> planeWave(position[cells.length - 1], cells[cells.length - 1]);
  }

  private static double gaussian(long[] position, double... cells) {
    double sum = 0;
    for (int axis = 0; axis < cells.length; axis++) {
      double distance = ((position[axis] + 0.5) / cells[axis] - 0.5) / DEVIATION;
      sum += distance * distance;
    }
    return StrictMath.exp(-sum / 2);
  }

  private static double planeWave(long position, double cells) {
    return StrictMath.sin(2 * Math.PI * PERIODS * (position + 0.5) / cells);
  }
}
