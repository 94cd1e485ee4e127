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
 * axis. A time step is refused where von Neumann's analysis finds that errors grow, with an {@link
 * InvalidStencilException}, as are numbers out of the ranges below. Units are the caller's, the
 * same in all arguments.
 *
 * <pre>{@code
 * double dt = 0.9 * Equations.largestWaveStep(2, 4, 340, 0.01); // sound, cells of 1 cm
 * StencilProgram wave = Equations.wave(2, 4, 340, 0.01, dt);
 * }</pre>
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
    return heat(dimensions, dimensions, accuracy, diffusivity, spacing, dt);
  }

  /**
   * Returns a step of {@link #heat(int, int, double, double, double)} on a grid that has a single
   * cell along some axes, with no difference to its neighbours: these do not limit the time step.
   *
   * @param varying the number of other axes, at least 1
   */
  public static StencilProgram heat(
      int dimensions, int varying, int accuracy, double diffusivity, double spacing, double dt) {
    requireStable(dt, largestHeatStep(varying, accuracy, diffusivity, spacing));
    return StencilProgram.of(
        dimensions,
        p -> {
          Field u = p.field(FIELD);
          Expression laplacian = Differences.laplacian(u, accuracy);
          double factor = diffusivity * dt / (spacing * spacing);
          p.update(u, u.here().plus(Expression.constant(factor).times(laplacian)));
        });
  }

  /** Returns the longest stable time step of {@link #heat}. */
  public static double largestHeatStep(
      int dimensions, int accuracy, double diffusivity, double spacing) {
    requirePositive("diffusivity", diffusivity);
    requirePositive("spacing", spacing);
    return 2 * spacing * spacing / (diffusivity * largestEigenvalue(dimensions, accuracy));
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
    return wave(dimensions, dimensions, accuracy, speed, spacing, dt);
  }

  /**
   * Returns a step of {@link #wave(int, int, double, double, double)} on a grid that has a single
   * cell along some axes, with no difference to its neighbours: these do not limit the time step.
   *
   * @param varying the number of other axes, at least 1
   */
  public static StencilProgram wave(
      int dimensions, int varying, int accuracy, double speed, double spacing, double dt) {
    requireStable(dt, largestWaveStep(varying, accuracy, speed, spacing));
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

  /** Returns the longest stable time step of {@link #wave}. */
  public static double largestWaveStep(int dimensions, int accuracy, double speed, double spacing) {
    requirePositive("speed", speed);
    requirePositive("spacing", spacing);
    return 2 * spacing / (speed * Math.sqrt(largestEigenvalue(dimensions, accuracy)));
  }

  private static double largestEigenvalue(int dimensions, int accuracy) {
    return StencilProgram.axes(dimensions).size() * Differences.largestEigenvalue(accuracy);
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
    requireStable(dt, largestAdvectionStep(velocities, spacing));
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
   * Returns the longest stable time step of {@link #advectionUpwind} and, for one velocity, of
   * {@link #advectionLaxWendroff}; infinite if nothing moves.
   */
  public static double largestAdvectionStep(List<Double> velocities, double spacing) {
    requirePositive("spacing", spacing);
    double sum = 0;
    for (double velocity : velocities) {
      requireFinite(velocity);
      sum += Math.abs(velocity);
    }
    return spacing / sum;
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
    requireStable(dt, largestAdvectionStep(List.of(velocity), spacing));
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

  /**
   * Returns a step of two substances that spread and react, {@code u + 2v -> 3v}, fed with u and
   * drained of v. The fields are {@code u} and {@code v}. Only the spreading limits the time step:
   * substances of concentrations up to 1 react more slowly.
   *
   * <p>Source: J. E. Pearson, "Complex patterns in a simple system", Science 261 (1993), 189-192,
   * after P. Gray and S. K. Scott.
   *
   * @param dimensions the number of axes, 1 to 3
   * @param diffusivityU how fast u spreads, in squared units of space per unit of time; above 0
   * @param diffusivityV how fast v spreads; above 0
   * @param feed the rate at which u is replaced; 0 or above
   * @param kill the rate, in addition to the feed, at which v is removed; 0 or above
   * @param spacing the distance of two cells; above 0
   * @param dt the time of a step; above 0, at most that of {@link #heat} for the greater of both
   *     diffusivities
   */
  public static StencilProgram grayScott(
      int dimensions,
      double diffusivityU,
      double diffusivityV,
      double feed,
      double kill,
      double spacing,
      double dt) {
    return grayScott(dimensions, dimensions, diffusivityU, diffusivityV, feed, kill, spacing, dt);
  }

  /**
   * Returns a step of {@link #grayScott(int, double, double, double, double, double, double)} on a
   * grid that has a single cell along some axes, with no difference to its neighbours: these do not
   * limit the time step.
   *
   * @param varying the number of other axes, at least 1
   */
  public static StencilProgram grayScott(
      int dimensions,
      int varying,
      double diffusivityU,
      double diffusivityV,
      double feed,
      double kill,
      double spacing,
      double dt) {
    requireRate("feed", feed);
    requireRate("kill", kill);
    double fastest = Math.max(diffusivityU, diffusivityV);
    requireStable(dt, largestHeatStep(varying, 2, fastest, spacing));
    requirePositive("diffusivity", Math.min(diffusivityU, diffusivityV));
    double factor = dt / (spacing * spacing);
    return StencilProgram.of(
        dimensions,
        p -> {
          Field u = p.field(FIELD);
          Field v = p.field("v");
          Expression reaction = u.here().times(v.here()).times(v.here());
          Expression fed = u.here().negated().plus(1).times(feed);
          Expression drained = v.here().times(feed + kill);
          Expression spreadU = Differences.laplacian(u, 2).times(diffusivityU * factor);
          Expression spreadV = Differences.laplacian(v, 2).times(diffusivityV * factor);
          p.update(u, u.here().plus(spreadU).plus(fed.minus(reaction).times(dt)));
          p.update(v, v.here().plus(spreadV).plus(reaction.minus(drained).times(dt)));
        });
  }

  private static void requireRate(String what, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new InvalidStencilException(
          "%s is %s; it must be finite and at least 0".formatted(what, value));
    }
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
