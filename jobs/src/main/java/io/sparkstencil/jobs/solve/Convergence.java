/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.engine.ProgramEngines;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How errors fall as grids become finer: equations on a periodic cube of side 1, beginning with one
 * sine along each axis, whose later values are known.
 */
final class Convergence {
  private static final double WAVE_NUMBER = 2 * Math.PI;
  private static final double HEAT_TIME = 0.005;
  private static final double WAVE_TIME = 0.3;
  private static final double ADVECTION_TIME = 0.1;
  private static final int[][] SIZES = {{64, 128, 256, 512}, {32, 64, 128}, {16, 32, 64}};

  private Convergence() {}

  /**
   * The error on a grid.
   *
   * @param equation its name
   * @param dimensions the axes of the grid
   * @param cells along each axis
   * @param steps until the time of the comparison
   * @param error the largest of all cells
   * @param order the power of the spacing by which it has fallen since the grid before, or NaN
   * @param theory the power that the scheme's analysis gives
   */
  record Row(
      String equation,
      int dimensions,
      int cells,
      long steps,
      double error,
      double order,
      int theory) {}

  /** A cell's value at a place in [0, 1) along each axis and a time. */
  private interface Solution {
    double at(double[] place, double time);
  }

  /** An equation on grids of one number of axes. */
  private record Case(
      Equation equation, int dimensions, double time, int theory, Solution solution) {}

  /**
   * Computes the errors of an equation on grids of which each is twice as fine as the one before.
   */
  static List<Row> of(Equation equation, int dimensions) {
    Case one = of(dimensions).get(equation);
    List<Row> rows = new ArrayList<>();
    int steps = firstSteps(one, SIZES[dimensions - 1][0]);
    for (int cells : SIZES[dimensions - 1]) {
      Row row = measure(one, cells, steps);
      steps *= equation == Equation.HEAT ? 4 : 2; // as the longest stable step shrinks
      double before = rows.isEmpty() ? Double.NaN : rows.get(rows.size() - 1).error();
      double order = Math.log(before / row.error()) / Math.log(2);
      rows.add(
          new Row(
              row.equation(), dimensions, cells, row.steps(), row.error(), order, row.theory()));
    }
    return rows;
  }

  private static Map<Equation, Case> of(int dimensions) {
    double frequency = WAVE_NUMBER * Math.sqrt(dimensions);
    double flow =
        Equation.ADVECTION.constants(dimensions).entrySet().stream()
            .filter(constant -> constant.getKey().startsWith("v"))
            .mapToDouble(Map.Entry::getValue)
            .sum();
    return Map.of(
        Equation.HEAT,
        new Case(
            Equation.HEAT,
            dimensions,
            HEAT_TIME,
            2,
            (place, time) -> sines(place) * Math.exp(-frequency * frequency * time)),
        Equation.WAVE,
        new Case(
            Equation.WAVE,
            dimensions,
            WAVE_TIME / Math.sqrt(dimensions),
            2,
            (place, time) -> sines(place) * Math.cos(frequency * time)),
        Equation.ADVECTION,
        new Case(
            Equation.ADVECTION,
            dimensions,
            ADVECTION_TIME,
            dimensions == 1 ? 2 : 1,
            (place, time) -> Math.sin(WAVE_NUMBER * (sum(place) - flow * time))));
  }

  private static Map<String, Double> constants(Case one, int cells) {
    return one.equation().constants(one.dimensions(), Map.of("spacing", 1.0 / cells));
  }

  private static int firstSteps(Case one, int cells) {
    double half =
        one.equation().goodStep(VaryingAxes.all(one.dimensions()), constants(one, cells)) / 2;
    return (int) Math.ceil(one.time() / half);
  }

  private static Row measure(Case one, int cells, int steps) {
    Equation equation = one.equation();
    int dimensions = one.dimensions();
    Map<String, Double> constants = constants(one, cells);
    double dt = one.time() / steps;
    StencilProgram program =
        equation.program(VaryingAxes.all(dimensions), constants, dt).withBoundary(Boundary.WRAP);
    Extent extent = new Extent(Collections.nCopies(dimensions, cells));
    double[] u = cells(one.solution(), extent, 0);
    List<Object> fields = new ArrayList<>(List.of(u));
    if (program.fields().contains("previous")) {
      fields.add(cells(one.solution(), extent, -dt));
    }
    try (ProgramEngines engines = ProgramEngines.select(Engines.CPU, Map.of())) {
      engines
          .compile(program)
          .run(
              new ProgramArrays(ElementType.F64, extent, fields),
              ParameterValues.NONE,
              steps,
              Runtime.getRuntime().availableProcessors());
    }
    double[] exact = cells(one.solution(), extent, one.time());
    double error = 0;
    for (int i = 0; i < u.length; i++) {
      error = Math.max(error, Math.abs(u[i] - exact[i]));
    }
    return new Row(equation.label(), dimensions, cells, steps, error, Double.NaN, one.theory());
  }

  private static double[] cells(Solution solution, Extent extent, double time) {
    double[] cells = new double[extent.cells()];
    double[] place = new double[extent.dimensions()];
    for (int i = 0; i < cells.length; i++) {
      int rest = i;
      for (int axis = place.length - 1; axis >= 0; axis--) {
        place[axis] = (double) (rest % extent.size(axis)) / extent.size(axis);
        rest /= extent.size(axis);
      }
      cells[i] = solution.at(place, time);
    }
    return cells;
  }

  private static double sines(double... place) {
    double product = 1;
    for (double along : place) {
      product *= Math.sin(WAVE_NUMBER * along);
    }
    return product;
  }

  private static double sum(double... place) {
    double sum = 0;
    for (double along : place) {
      sum += along;
    }
    return sum;
  }

  /** Prints the table of all equations that have known solutions. */
  static void print(PrintWriter out) {
    out.println("equation   axes  cells  steps      error  order  theory");
    for (Equation equation : List.of(Equation.HEAT, Equation.WAVE, Equation.ADVECTION)) {
      for (int dimensions = 1; dimensions <= SIZES.length; dimensions++) {
        for (Row row : of(equation, dimensions)) {
          out.printf(
              Locale.ROOT,
              "%-9s  %4d  %5d  %5d  %9.3g  %5s  %6d%n",
              row.equation(),
              row.dimensions(),
              row.cells(),
              row.steps(),
              row.error(),
              Double.isNaN(row.order()) ? "" : String.format(Locale.ROOT, "%.2f", row.order()),
              row.theory());
        }
      }
    }
  }
}
