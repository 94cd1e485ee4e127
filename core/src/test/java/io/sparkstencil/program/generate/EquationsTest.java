/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EquationsTest {
  /** The second derivative's weights from the middle on: Fornberg (1988), table 1. */
  private static final Map<Integer, double[]> SECOND_DERIVATIVE =
      Map.of(
          2, new double[] {-2, 1},
          4, new double[] {-5.0 / 2, 4.0 / 3, -1.0 / 12},
          6, new double[] {-49.0 / 18, 3.0 / 2, -3.0 / 20, 1.0 / 90},
          8, new double[] {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560});

  /** Returns the eigenvalue of a wave whose phase moves by an angle from cell to cell. */
  private static double eigenvalue(int accuracy, double angle) {
    double[] weights = SECOND_DERIVATIVE.get(accuracy);
    double sum = weights[0];
    for (int i = 1; i < weights.length; i++) {
      sum += 2 * weights[i] * Math.cos(i * angle);
    }
    return sum;
  }

  private static Extent cube(int dimensions, int size) {
    return new Extent(Collections.nCopies(dimensions, size));
  }

  /** Returns a product of one sine per axis: 1, 2, 3 periods along the axes. */
  private static double[] mode(Extent extent) {
    return ReferenceRun.cells(
        extent,
        position -> {
          double product = 1;
          for (int axis = 0; axis < position.length; axis++) {
            product *=
                Math.sin(2 * Math.PI * (axis + 1) * position[axis] / extent.size(axis) + 0.3);
          }
          return product;
        });
  }

  private static double modeEigenvalue(Extent extent, int accuracy) {
    double sum = 0;
    for (int axis = 0; axis < extent.dimensions(); axis++) {
      sum += eigenvalue(accuracy, 2 * Math.PI * (axis + 1) / extent.size(axis));
    }
    return sum;
  }

  private static void requireScaled(double[] actual, double[] initial, double factor) {
    for (int i = 0; i < actual.length; i++) {
      assertThat(actual[i]).isEqualTo(initial[i] * factor, within(1e-12));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "1, 8", "2, 2", "2, 4", "2, 6", "3, 2", "3, 4"})
  void heatMultipliesASineByItsEigenvalue(int dimensions, int accuracy) {
    Extent extent = cube(dimensions, dimensions == 3 ? 9 : 20);
    double largest = 0.5 * 0.5 * 2 / (0.7 * dimensions * -eigenvalue(accuracy, Math.PI));
    double dt = 0.8 * largest;
    StencilProgram heat = Equations.heat(dimensions, accuracy, 0.7, 0.5, dt);
    double growth = 1 + 0.7 * dt / (0.5 * 0.5) * modeEigenvalue(extent, accuracy);

    double[] result =
        ReferenceRun.steps(heat.withBoundary(Boundary.WRAP), extent, 12, mode(extent));

    requireScaled(result, mode(extent), Math.pow(growth, 12));
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "1, 8", "2, 4", "3, 2"})
  void waveSwingsASineAtItsFrequency(int dimensions, int accuracy) {
    Extent extent = cube(dimensions, dimensions == 3 ? 9 : 20);
    double dt = 0.9 * 2 * 0.5 / (1.5 * Math.sqrt(dimensions * -eigenvalue(accuracy, Math.PI)));
    double courant = 1.5 * dt / 0.5;
    double angle = Math.acos(1 + courant * courant * modeEigenvalue(extent, accuracy) / 2);
    double[] u = mode(extent);
    double[] previous = Arrays.stream(u).map(cell -> cell * Math.cos(angle)).toArray();
    StencilProgram wave =
        Equations.wave(dimensions, accuracy, 1.5, 0.5, dt).withBoundary(Boundary.WRAP);

    double[] result = ReferenceRun.steps(wave, extent, 25, Map.of("u", u, "previous", previous));

    requireScaled(result, u, Math.cos(25 * angle));
  }

  @Test
  void upwindAdvectionMovesALineExactly() {
    Extent extent = Extent.of(24, 24);
    DoubleUnaryOperator[] along = {x -> 3 + 2 * x, y -> -0.5 * y};
    double dt = 0.6 * 0.25 / (1.5 + 0.5);
    StencilProgram advection = Equations.advectionUpwind(List.of(1.5, -0.5), 0.25, dt);
    ReferenceRun.Cells line =
        position -> along[0].applyAsDouble(position[0]) + along[1].applyAsDouble(position[1]);

    double[] result = ReferenceRun.steps(advection, extent, 7, ReferenceRun.cells(extent, line));

    for (int cell = 0; cell < result.length; cell++) {
      int[] p = ReferenceRun.position(extent, cell);
      if (p[0] >= 7 && p[1] < 24 - 7) {
        double moved =
            along[0].applyAsDouble(p[0] - 7 * 1.5 * dt / 0.25)
                + along[1].applyAsDouble(p[1] + 7 * 0.5 * dt / 0.25);
        assertThat(result[cell]).isEqualTo(moved, within(1e-12));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"0.7", "-0.7", "1", "-1", "0.01", "0"})
  void laxWendroffMovesAParabolaExactly(double courant) {
    Extent extent = Extent.of(40);
    DoubleUnaryOperator parabola = x -> 0.3 * x * x - 2 * x + 1;
    StencilProgram advection = Equations.advectionLaxWendroff(courant * 5, 0.5, 0.1);
    double[] initial = ReferenceRun.cells(extent, position -> parabola.applyAsDouble(position[0]));

    double[] result = ReferenceRun.steps(advection, extent, 9, initial);

    for (int cell = 9; cell < 40 - 9; cell++) {
      assertThat(result[cell]).isEqualTo(parabola.applyAsDouble(cell - 9 * courant), within(1e-10));
    }
  }

  /** Returns the largest error of a wave of one period after a time, from its exact form. */
  private static double error(
      StencilProgram program, int cells, int steps, DoubleUnaryOperator exact) {
    Extent extent = Extent.of(cells);
    double h = 1.0 / cells;
    double[] initial = ReferenceRun.cells(extent, p -> Math.sin(2 * Math.PI * p[0] * h));
    double[] result =
        ReferenceRun.steps(program.withBoundary(Boundary.WRAP), extent, steps, initial);
    double error = 0;
    for (int cell = 0; cell < cells; cell++) {
      error = Math.max(error, Math.abs(result[cell] - exact.applyAsDouble(cell * h)));
    }
    return error;
  }

  /** Returns the largest error of a standing wave at time 0.4. */
  private static double waveError(int cells, double dt) {
    int steps = (int) Math.rint(0.4 / dt);
    double wave = 2 * Math.PI;
    Extent extent = Extent.of(cells);
    StencilProgram program = Equations.wave(1, 2, 1, 1.0 / cells, dt).withBoundary(Boundary.WRAP);
    double[] u = ReferenceRun.cells(extent, p -> Math.sin(wave * p[0] / cells));
    double[] previous = Arrays.stream(u).map(cell -> cell * Math.cos(wave * dt)).toArray();
    double[] result =
        ReferenceRun.steps(program, extent, steps, Map.of("u", u, "previous", previous));
    double error = 0;
    for (int cell = 0; cell < cells; cell++) {
      error = Math.max(error, Math.abs(result[cell] - u[cell] * Math.cos(wave * 0.4)));
    }
    return error;
  }

  private static void requireOrder(double order, int cells, IntToDoubleFunction error) {
    double rate = error.applyAsDouble(cells) / error.applyAsDouble(2 * cells);
    assertThat(Math.log(rate) / Math.log(2)).isEqualTo(order, within(0.1));
  }

  @Test
  void halvingTheSpacingShowsTheOrderOfAccuracy() {
    double wave = 2 * Math.PI;
    for (int accuracy : new int[] {2, 4, 6, 8}) {
      StencilProgram laplacian = ProgramText.parse("u' = laplacian(u, %d)".formatted(accuracy), 1);
      requireOrder(
          accuracy,
          16,
          n -> error(laplacian, n, 1, x -> -wave * wave * Math.sin(wave * x) / n / n) * n * n);
    }
    requireOrder(
        2,
        20,
        n ->
            error(
                Equations.heat(1, 2, 1, 1.0 / n, 0.25 / n / n),
                n,
                n * n / 40,
                x -> Math.exp(-wave * wave / 160) * Math.sin(wave * x)));
    requireOrder(2, 20, n -> waveError(n, 0.8 / n));
    requireOrder(
        1,
        100,
        n ->
            error(
                Equations.advectionUpwind(List.of(1.0), 1.0 / n, 0.5 / n),
                n,
                n / 2,
                x -> Math.sin(wave * (x - 0.25))));
    requireOrder(
        2,
        40,
        n ->
            error(
                Equations.advectionLaxWendroff(1, 1.0 / n, 0.5 / n),
                n,
                n / 2,
                x -> Math.sin(wave * (x - 0.25))));
  }

  /** Finds the largest stable step in the message: it is taken, and a larger one is not. */
  private static double limit(Supplier<StencilProgram> unstable) {
    String message = catchThrowable(unstable::get).getMessage();
    assertThat(message)
        .matches("dt .* is unstable: .*; use at most [-+.\\dE]+, or cells further apart");
    return Double.parseDouble(message.replaceAll(".*use at most ([^,]+),.*", "$1"));
  }

  @Test
  void refusesAnUnstableStepAndNamesTheLargestStableOne() {
    assertThat(limit(() -> Equations.heat(1, 2, 1, 1, 0.51))).isEqualTo(0.5);
    assertThat(limit(() -> Equations.heat(2, 2, 2, 0.5, 1))).isEqualTo(0.25 / 8);
    assertThat(limit(() -> Equations.heat(3, 2, 1, 1, 1))).isEqualTo(1.0 / 6, within(1e-15));
    assertThat(limit(() -> Equations.heat(2, 4, 1, 1, 1))).isEqualTo(0.1875, within(1e-15));
    assertThat(limit(() -> Equations.wave(1, 2, 1, 1, 1.01))).isEqualTo(1);
    assertThat(limit(() -> Equations.wave(2, 2, 2, 1, 1))).isEqualTo(0.5 / Math.sqrt(2));
    assertThat(limit(() -> Equations.wave(3, 2, 1, 1, 1)))
        .isEqualTo(1 / Math.sqrt(3), within(1e-15));
    assertThat(limit(() -> Equations.advectionUpwind(List.of(3.0, -1.0), 2, 0.51))).isEqualTo(0.5);
    assertThat(limit(() -> Equations.advectionLaxWendroff(-4, 2, 0.51))).isEqualTo(0.5);
  }

  @Test
  void takesTheLargestStableStepAndOneMoreThanThatGrows() {
    Extent extent = Extent.of(16, 16);
    double[] checks = ReferenceRun.cells(extent, p -> (p[0] + p[1]) % 2 == 0 ? 1 : -1);
    for (int accuracy : new int[] {2, 4, 8, 16, 32}) {
      double dt = limit(() -> Equations.heat(2, accuracy, 1.3, 0.7, 1e6));
      StencilProgram stable = Equations.heat(2, accuracy, 1.3, 0.7, dt).withBoundary(Boundary.WRAP);
      double[] result = ReferenceRun.steps(stable, extent, 20, checks);
      for (double cell : result) {
        assertThat(Math.abs(cell)).isEqualTo(1, within(1e-11));
      }
      assertThatThrownBy(() -> Equations.heat(2, accuracy, 1.3, 0.7, Math.nextUp(dt)))
          .isInstanceOf(InvalidStencilException.class);
      double factor = 1.3 * dt * 1.05 / (0.7 * 0.7);
      StencilProgram unstable =
          ProgramText.parse("u' = u[0,0] + %s*laplacian(u, %d)".formatted(factor, accuracy));
      double[] grown = ReferenceRun.steps(unstable.withBoundary(Boundary.WRAP), extent, 20, checks);
      assertThat(Math.abs(grown[0])).isGreaterThan(2);
    }
  }

  @Test
  void waveStaysBoundedAtTheLargestStableStepButOne() {
    double largest = limit(() -> Equations.wave(1, 8, 1, 1, 1e6));
    double[] spike = ReferenceRun.cells(Extent.of(31), p -> p[0] == 15 ? 1 : 0);
    StencilProgram wave = Equations.wave(1, 8, 1, 1, 0.999 * largest).withBoundary(Boundary.WRAP);
    for (double cell :
        ReferenceRun.steps(wave, Extent.of(31), 2000, Map.of("u", spike, "previous", spike))) {
      assertThat(Math.abs(cell)).isLessThan(50);
    }
  }

  @Test
  void areTheProgramsThatTheirTextsWrite() {
    assertThat(Equations.heat(2, 4, 1, 1, 0.125))
        .isEqualTo(ProgramText.parse("u' = u[0,0] + 0.125*laplacian(u, 4)"));
    assertThat(Equations.wave(3, 8, 1, 2, 0.5))
        .isEqualTo(
            ProgramText.parse(
                "u' = 2*u - previous[0,0,0] + 0.0625*laplacian(u, 8); previous' = u"));
    assertThat(Equations.advectionUpwind(List.of(0.5, 0.0, -0.25), 1, 1))
        .hasToString("u' = u[0,0,0] - 0.5 * (u[0,0,0] - u[-1,0,0]) - 0.25 * (u[0,0,0] - u[0,0,1])");
    assertThat(Equations.advectionLaxWendroff(0.5, 1, 1))
        .hasToString("u' = 0.375 * u[-1] + 0.75 * u[0] - 0.125 * u[1]");
    assertThat(Equations.advectionUpwind(List.of(0.0), 1, 1)).hasToString("u' = u[0]");
  }

  @Test
  void refusesWhatIsNoEquation() {
    for (double wrong : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      for (Supplier<StencilProgram> equation :
          List.<Supplier<StencilProgram>>of(
              () -> Equations.heat(1, 2, wrong, 1, 0.1),
              () -> Equations.heat(1, 2, 1, wrong, 0.1),
              () -> Equations.heat(1, 2, 1, 1, wrong),
              () -> Equations.wave(1, 2, wrong, 1, 0.1),
              () -> Equations.wave(1, 2, 1, 1, wrong),
              () -> Equations.advectionUpwind(List.of(1.0), wrong, 0.1),
              () -> Equations.advectionLaxWendroff(1, 1, wrong))) {
        assertThatThrownBy(equation::get)
            .isInstanceOf(InvalidStencilException.class)
            .hasMessageContaining(" is " + wrong + "; it must be finite and above 0");
      }
    }
    assertThatThrownBy(() -> Equations.advectionUpwind(List.of(1.0, Double.NaN), 1, 0.1))
        .hasMessageContaining("velocity is NaN; it must be finite");
    assertThatThrownBy(() -> Equations.heat(4, 2, 1, 1, 0.1)).hasMessageContaining("4 axes");
    assertThatThrownBy(() -> Equations.wave(-1, 2, 1, 1, 0.1)).hasMessageContaining("-1 axes");
    assertThatThrownBy(() -> Equations.heat(1, 3, 1, 1, 0.1))
        .hasMessageContaining("order 3 is odd");
    assertThatThrownBy(() -> Equations.advectionUpwind(List.of(), 1, 0.1))
        .hasMessageContaining("0 axes");
  }

  @Test
  void grayScottSpreadsAndReacts() {
    StencilProgram step =
        Equations.grayScott(1, 0.16, 0.08, 0.03, 0.06, 0.5, 0.25).withBoundary(Boundary.WRAP);
    double[] u = {1, 0.5, 0.75, 1};
    double[] v = {0, 0.25, 0.5, 0};

    double[] result = ReferenceRun.steps(step, Extent.of(4), 1, Map.of("u", u, "v", v));

    for (int cell = 0; cell < u.length; cell++) {
      double spread = (u[(cell + 3) % 4] - 2 * u[cell] + u[(cell + 1) % 4]) / 0.25;
      double rate = 0.16 * spread - u[cell] * v[cell] * v[cell] + 0.03 * (1 - u[cell]);
      assertThat(result[cell]).isEqualTo(u[cell] + 0.25 * rate, within(1e-15));
    }
  }

  @Test
  void theLongestStepsAreTheLastStableOnes() {
    double heat = Equations.largestHeatStep(2, 4, 0.3, 0.5);
    double wave = Equations.largestWaveStep(3, 2, 2, 0.5);
    double advection = Equations.largestAdvectionStep(List.of(1.0, -3.0), 0.5);

    assertThat(Equations.heat(2, 4, 0.3, 0.5, heat).dimensions()).isEqualTo(2);
    assertThat(Equations.wave(3, 2, 2, 0.5, wave).dimensions()).isEqualTo(3);
    assertThat(advection).isEqualTo(0.125);
    assertThatThrownBy(() -> Equations.heat(2, 4, 0.3, 0.5, Math.nextUp(heat)))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("use at most " + heat);
    assertThatThrownBy(() -> Equations.wave(3, 2, 2, 0.5, Math.nextUp(wave)))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("use at most " + wave);
    assertThatThrownBy(() -> Equations.grayScott(2, 0.16, 0.3, 0.03, 0.06, 0.5, 0.25))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("unstable");
    assertThatThrownBy(() -> Equations.grayScott(2, 0.16, 0.08, -1, 0.06, 1, 0.25))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("feed is -1.0; it must be finite and at least 0");
  }
}
