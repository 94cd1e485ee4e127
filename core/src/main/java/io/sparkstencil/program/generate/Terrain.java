/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import static io.sparkstencil.program.Expression.constant;
import static io.sparkstencil.program.Expression.select;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import java.util.ArrayList;
import java.util.List;

/**
 * Slopes of a raster of heights whose rows go from north to south and whose columns go from west to
 * east. The gradient is that of B. K. P. Horn, "Hill shading and the reflectance map", Proceedings
 * of the IEEE 69 (1981): differences of the eight cells around each cell, of which those in its row
 * and in its column count twice. A result is NaN where one of them is missing.
 *
 * <pre>{@code
 * StencilProgram slopes =
 *     StencilProgram.of(
 *         2,
 *         builder -> {
 *           Field u = builder.field("u");
 *           builder.update(u, Terrain.slope(u, 30, 30));
 *         });
 * }</pre>
 */
public final class Terrain {
  /** Where the light is if nobody says it: to the north-west, in degrees from north by east. */
  public static final double AZIMUTH = 315;

  /** How high the light is if nobody says it, in degrees. */
  public static final double ALTITUDE = 45;

  private static final double DEGREES = 180 / Math.PI;

  private Terrain() {}

  /**
   * The rise to the east and to the south.
   *
   * @param east from column to column
   * @param south from row to row
   */
  private record Gradient(Expression east, Expression south) {
    static Gradient of(Field heights, double rows, double columns) {
      if (heights.dimensions() != 2) {
        throw new InvalidStencilException(
            "%s has %d axes, and heights have 2, rows and columns; use a program of two axes"
                .formatted(heights.name(), heights.dimensions()));
      }
      return new Gradient(
          rise(heights, 1).over(8 * spacing(columns)), rise(heights, 0).over(8 * spacing(rows)));
    }

    private static double spacing(double distance) {
      if (!(distance > 0) || Double.isInfinite(8 * distance)) {
        throw new InvalidStencilException(
            "the distance between cells is %s; use a number above 0, in the unit of the heights"
                .formatted(distance));
      }
      return distance;
    }

    private static Expression rise(Field heights, int axis) {
      List<Differences.Term> terms = new ArrayList<>();
      for (int along = 1; along >= -1; along -= 2) {
        for (int across = -1; across <= 1; across++) {
          int[] offset = axis == 0 ? new int[] {along, across} : new int[] {across, along};
          terms.add(new Differences.Term(offset, along * (across == 0 ? 2 : 1)));
        }
      }
      return Differences.sum(heights, terms);
    }

    Expression square() {
      return east.times(east).plus(south.times(south));
    }
  }

  /**
   * Returns the slope, in degrees from 0 to 90.
   *
   * @param rows the distance between rows, in the unit of the heights
   * @param columns the distance between columns
   */
  public static Expression slope(Field heights, double rows, double columns) {
    Gradient gradient = Gradient.of(heights, rows, columns);
    return ofThisCell(heights, Elementary.atanOfSize(gradient.square().sqrt()).times(DEGREES));
  }

  /**
   * Returns the direction in which the surface falls, in degrees from north by east, from 0 to
   * below 360; NaN where it is flat.
   */
  public static Expression aspect(Field heights, double rows, double columns) {
    Gradient gradient = Gradient.of(heights, rows, columns);
    Expression downEast = gradient.east().negated();
    Expression downNorth = gradient.south(); // what rises to the south falls to the north
    Expression angle = Elementary.atan2(downEast, downNorth).times(DEGREES);
    Expression turned = select(angle.lessThan(constant(0)), angle.plus(360), angle);
    Expression around = select(constant(360).atMost(turned), constant(0), turned);
    Expression square = downEast.abs().max(downNorth.abs());
    Expression flat = square.over(square); // 0/0 is NaN
    return ofThisCell(heights, select(square.equalTo(constant(0)), flat, around));
  }

  /**
   * Returns how bright the surface is under a light, as a number from 1 to 255: 1 and 254 times the
   * cosine of the angle between the light and what is upright on the surface, and 1 in its shadow.
   *
   * @param azimuth the direction of the light, in degrees from north by east
   * @param altitude the height of the light above the horizon, in degrees
   */
  public static Expression hillshade(
      Field heights, double rows, double columns, double azimuth, double altitude) {
    if (!Double.isFinite(azimuth) || !(altitude >= 0 && altitude <= 90)) {
      throw new InvalidStencilException(
          "the light has the azimuth %s and the altitude %s; use degrees, and an altitude of 0 to 90"
              .formatted(azimuth, altitude));
    }
    Gradient gradient = Gradient.of(heights, rows, columns);
    double flat = StrictMath.cos(StrictMath.toRadians(altitude));
    double east = flat * StrictMath.sin(StrictMath.toRadians(azimuth));
    double north = flat * StrictMath.cos(StrictMath.toRadians(azimuth));
    Expression towards =
        constant(StrictMath.sin(StrictMath.toRadians(altitude)))
            .minus(gradient.east().times(east))
            .plus(gradient.south().times(north));
    Expression cosine = towards.over(gradient.square().plus(1).sqrt());
    Expression bright = cosine.times(254).plus(1);
    return ofThisCell(heights, select(cosine.lessThan(constant(0)), constant(1), bright));
  }

  /** A cell that is missing itself has no slope, though its gradient does not ask for it. */
  private static Expression ofThisCell(Field heights, Expression value) {
    Expression here = heights.here();
    return select(here.equalTo(here), value, here);
  }
}
