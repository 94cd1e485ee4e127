/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.Expression;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.Differences.Term;
import java.util.ArrayList;
import java.util.List;

/**
 * Explicit time steps of partial differential equations, on cells at the same distance along every
 * axis. A time step is refused where von Neumann's analysis finds that errors grow.
 */
public final class Equations {
  private static final String FIELD = "u";

  private Equations() {}

  /**
   * Returns a step of the heat equation, {@code u_t = diffusivity * laplacian(u)}: central
   * differences in space, and Euler's step forward in time.
   *
   * @param dimensions the number of axes, 1 to 3
   * @param accuracy the power of the spacing by which the error in space falls: even, 2 to 64
   * @param diffusivity above 0, in squared units of space per unit of time
   * @param spacing the distance of two cells; above 0
   * @param dt the time of a step; above 0, at most {@code 2 * spacing^2 / (diffusivity * s)} with
   *     the sum s of the absolute weights of the Laplacian
   */
  public static StencilProgram heat(
      int dimensions, int accuracy, double diffusivity, double spacing, double dt) {
    requirePositive("diffusivity", diffusivity);
    requirePositive("spacing", spacing);
    double eigenvalue =
        StencilProgram.axes(dimensions).size() * Differences.largestEigenvalue(accuracy);
    requireStable(dt, 2 * spacing * spacing / (diffusivity * eigenvalue));
    return StencilProgram.of(
        dimensions,
        p -> {
          Field u = p.field(FIELD);
          Expression laplacian = Differences.laplacian(u, accuracy);
          double factor = diffusivity * dt / (spacing * spacing);
          p.update(u, u.here().plus(Expression.constant(factor).times(laplacian)));
        });
  }

  /**
   * Returns a step of the wave equation, {@code u_tt = speed^2 * laplacian(u)}: central differences
   * in space and time. The fields are {@code u}, and {@code previous}, which has the cells of one
   * step earlier.
   *
   * @param dimensions the number of axes, 1 to 3
   * @param accuracy the power of the spacing by which the error in space falls: even, 2 to 64; that
   *     of the time step falls by its square
   * @param speed above 0, in units of space per unit of time
   * @param spacing the distance of two cells; above 0
   * @param dt the time of a step; above 0, at most {@code 2 * spacing / (speed * sqrt(s))} with the
   *     sum s of the absolute weights of the Laplacian
   */
  public static StencilProgram wave(
      int dimensions, int accuracy, double speed, double spacing, double dt) {
    requirePositive("speed", speed);
    requirePositive("spacing", spacing);
    double eigenvalue =
        StencilProgram.axes(dimensions).size() * Differences.largestEigenvalue(accuracy);
    requireStable(dt, 2 * spacing / (speed * Math.sqrt(eigenvalue)));
    return StencilProgram.of(
        dimensions,
        p -> {
          Field u = p.field(FIELD);
          Field previous = p.field("previous");
          double courant = speed * dt / spacing;
          Expression acceleration =
              Expression.constant(courant * courant).times(Differences.laplacian(u, accuracy));
          Expression straight = Expression.constant(2).times(u.here()).minus(previous.here());
          p.update(u, straight.plus(acceleration));
          p.update(previous, u.here());
        });
  }

  /**
   * Returns a step of advection, {@code u_t + v_1 * u_x + v_2 * u_y + ... = 0}: differences towards
   * the side that the flow comes from. The error falls by the spacing.
   *
   * @param velocities one per axis, slowest axis first, of either sign or 0
   * @param spacing the distance of two cells; above 0
   * @param dt the time of a step; above 0, at most {@code spacing / (|v_1| + |v_2| + ...)}
   */
  public static StencilProgram advectionUpwind(List<Double> velocities, double spacing, double dt) {
    requirePositive("spacing", spacing);
    double sum = 0;
    for (double velocity : velocities) {
      requireFinite(velocity);
      sum += Math.abs(velocity);
    }
    requireStable(dt, spacing / sum);
    return StencilProgram.of(
        velocities.size(),
        p -> {
          Field u = p.field(FIELD);
          Expression next = u.here();
          for (int axis = 0; axis < velocities.size(); axis++) {
            double velocity = velocities.get(axis);
            if (velocity != 0) {
              int[] upwind = new int[velocities.size()];
              upwind[axis] = velocity > 0 ? -1 : 1;
              double courant = Math.abs(velocity) * dt / spacing;
              Expression difference = u.here().minus(u.at(upwind));
              next = next.minus(Expression.constant(courant).times(difference));
            }
          }
          p.update(u, next);
        });
  }

  /**
   * Returns a step of advection in one dimension, {@code u_t + velocity * u_x = 0}, by the scheme
   * of Lax and Wendroff: the parabola through three cells, moved. The error falls by the square of
   * the spacing.
   *
   * <p>Source: P. Lax and B. Wendroff, "Systems of conservation laws", Communications on Pure and
   * Applied Mathematics 13 (1960), 217-237.
   *
   * @param velocity of either sign or 0
   * @param spacing the distance of two cells; above 0
   * @param dt the time of a step; above 0, at most {@code spacing / |velocity|}
   */
  public static StencilProgram advectionLaxWendroff(double velocity, double spacing, double dt) {
    requirePositive("spacing", spacing);
    requireFinite(velocity);
    requireStable(dt, spacing / Math.abs(velocity));
    double courant = velocity * dt / spacing;
    double[] weights = {
      courant * (courant + 1) / 2, 1 - courant * courant, courant * (courant - 1) / 2
    };
    List<Term> terms = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] != 0) {
        terms.add(new Term(new int[] {i - 1}, weights[i]));
      }
    }
    return StencilProgram.of(
        1,
        p -> {
          Field u = p.field(FIELD);
          p.update(u, Differences.sum(u, terms));
        });
  }

  private static void requirePositive(String what, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new InvalidStencilException(
          "%s is %s; it must be finite and above 0".formatted(what, value));
    }
  }

  private static void requireFinite(double velocity) {
    if (!Double.isFinite(velocity)) {
      throw new InvalidStencilException("velocity is %s; it must be finite".formatted(velocity));
    }
  }

  private static void requireStable(double dt, double largest) {
    requirePositive("dt", dt);
    if (dt > largest) {
      throw new InvalidStencilException(
          "dt %s is unstable: errors grow from step to step; use at most %s, or cells further apart"
              .formatted(dt, largest));
    }
  }
}
