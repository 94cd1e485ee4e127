/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.generate.Equations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** An equation that has a name, with its constants, its first cells and its boundary. */
enum Equation {
  /** Heat spreads: a Gaussian, between insulating ends. */
  HEAT("reflect", 0.8) {
    @Override
    Map<String, Double> constants(int dimensions) {
      return numbered("diffusivity", 1.0, "spacing", 1.0, "order", 2.0);
    }

    @Override
    double largestStep(VaryingAxes axes, Map<String, Double> c) {
      return Equations.largestHeatStep(
          axes.count(), order(c), c.get("diffusivity"), c.get("spacing"));
    }

    @Override
    StencilProgram program(VaryingAxes axes, Map<String, Double> c, double dt) {
      return Equations.heat(
          axes.dimensions(), axes.count(), order(c), c.get("diffusivity"), c.get("spacing"), dt);
    }

    @Override
    Map<String, String> fields(int dimensions) {
      return Map.of("u", "gaussian");
    }
  },
  /** A drop falls into water that is at rest, between ends that throw waves back. */
  WAVE("reflect", 0.8) {
    @Override
    Map<String, Double> constants(int dimensions) {
      return numbered("speed", 1.0, "spacing", 1.0, "order", 2.0);
    }

    @Override
    double largestStep(VaryingAxes axes, Map<String, Double> c) {
      return Equations.largestWaveStep(axes.count(), order(c), c.get("speed"), c.get("spacing"));
    }

    @Override
    StencilProgram program(VaryingAxes axes, Map<String, Double> c, double dt) {
      return Equations.wave(
          axes.dimensions(), axes.count(), order(c), c.get("speed"), c.get("spacing"), dt);
    }

    @Override
    Map<String, String> fields(int dimensions) {
      return Map.of("u", "gaussian", "previous", SAME_AS + "u");
    }
  },
  /** A Gaussian is carried along, around and around. */
  ADVECTION("wrap", 0.8) {
    @Override
    Map<String, Double> constants(int dimensions) {
      Map<String, Double> constants = numbered("spacing", 1.0);
      for (int axis = 0; axis < dimensions; axis++) {
        constants.put("v" + StencilProgram.axes(dimensions).get(axis), 1.0 / (1 << axis));
      }
      return constants;
    }

    @Override
    double largestStep(VaryingAxes axes, Map<String, Double> c) {
      return Equations.largestAdvectionStep(velocities(axes, c), c.get("spacing"));
    }

    @Override
    StencilProgram program(VaryingAxes axes, Map<String, Double> c, double dt) {
      return axes.dimensions() == 1
          ? Equations.advectionLaxWendroff(c.get("vx"), c.get("spacing"), dt)
          : Equations.advectionUpwind(velocities(axes, c), c.get("spacing"), dt);
    }

    @Override
    Map<String, String> fields(int dimensions) {
      return Map.of("u", "gaussian");
    }
  },
  /** A square of v in a sea of u breaks up into spots; time steps above 1 would blur them. */
  GRAY_SCOTT("wrap", 0.64) {
    @Override
    Map<String, Double> constants(int dimensions) {
      return numbered(
          "diffusivityU", 0.16, "diffusivityV", 0.08, "feed", 0.035, "kill", 0.065, "spacing", 1.0);
    }

    @Override
    double largestStep(VaryingAxes axes, Map<String, Double> c) {
      double fastest = Math.max(c.get("diffusivityU"), c.get("diffusivityV"));
      return Equations.largestHeatStep(axes.count(), 2, fastest, c.get("spacing"));
    }

    @Override
    StencilProgram program(VaryingAxes axes, Map<String, Double> c, double dt) {
      return Equations.grayScott(
          axes.dimensions(),
          axes.count(),
          c.get("diffusivityU"),
          c.get("diffusivityV"),
          c.get("feed"),
          c.get("kill"),
          c.get("spacing"),
          dt);
    }

    @Override
    Map<String, String> fields(int dimensions) {
      return Map.of("u", square(dimensions, "0.5", "1"), "v", square(dimensions, "0.25", "0"));
    }

    @Override
    String shown() {
      return "v";
    }
  };

  /** Begins the first cells of a field that are those of another one. */
  static final String SAME_AS = "=";

  private final String boundary;
  private final double share;

  Equation(String boundary, double share) {
    this.boundary = boundary;
    this.share = share;
  }

  /** Returns the equation of a name, in any case. */
  static Equation named(String name) {
    for (Equation each : values()) {
      if (each.label().equals(name.toLowerCase(Locale.ROOT))) {
        return each;
      }
    }
    throw new InvalidStencilException(
        "unknown equation \"%s\"; use heat, wave, advection, gray-scott, or a file that ends in .stencil"
            .formatted(name));
  }

  /** Returns the name as it is written on the command line. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the constants with their defaults, in the order of the documentation. */
  abstract Map<String, Double> constants(int dimensions);

  /** Returns the longest stable time step. */
  abstract double largestStep(VaryingAxes axes, Map<String, Double> constants);

  /** Returns a step; it is refused if it is unstable. */
  abstract StencilProgram program(VaryingAxes axes, Map<String, Double> constants, double dt);

  /** Returns the first cells of fields that the command line says nothing about. */
  abstract Map<String, String> fields(int dimensions);

  /** Returns the field that pictures show. */
  String shown() {
    return "u";
  }

  /** Returns the rules outside the grid that hold unless others are given. */
  String boundary() {
    return boundary;
  }

  /** Returns the time step that is taken if none is given: a share of the longest stable one. */
  double goodStep(VaryingAxes axes, Map<String, Double> constants) {
    double step = share * largestStep(axes, constants);
    if (Double.isInfinite(step)) {
      throw new InvalidStencilException("nothing moves at velocities of 0; set one of them");
    }
    return this == GRAY_SCOTT ? Math.min(1, step) : step;
  }

  /**
   * Returns the constants with some of them set.
   *
   * @throws InvalidStencilException if there is no such constant
   */
  Map<String, Double> constants(int dimensions, Map<String, Double> set) {
    Map<String, Double> constants = constants(dimensions);
    set.forEach(
        (name, value) -> {
          if (constants.replace(name, value) == null) {
            throw new InvalidStencilException(
                "--set %s: the equation %s has the constants %s"
                    .formatted(name, label(), constants.keySet()));
          }
        });
    return constants;
  }

  /** Returns an expression with one value in the middle fifth of each axis, and another outside. */
  private static String square(int dimensions, String inside, String outside) {
    String condition =
        StencilProgram.axes(dimensions).stream()
            .map(axis -> "abs((%s + 0.5)/n%s - 0.5) < 0.1".formatted(axis, axis))
            .collect(Collectors.joining(" and "));
    return "where(%s, %s, %s)".formatted(condition, inside, outside);
  }

  private static Map<String, Double> numbered(Object... namesAndValues) {
    Map<String, Double> constants = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      constants.put((String) namesAndValues[i], (Double) namesAndValues[i + 1]);
    }
    return constants;
  }

  private static int order(Map<String, Double> constants) {
    double order = constants.get("order");
    if (order != Math.rint(order)) {
      throw new InvalidStencilException(
          "--set order=%s: the order of accuracy is 2, 4, 6, ...".formatted(order));
    }
    return (int) order;
  }

  /** Along other axes nothing moves. */
  private static List<Double> velocities(VaryingAxes axes, Map<String, Double> constants) {
    List<Double> velocities = new ArrayList<>();
    for (int axis = 0; axis < axes.dimensions(); axis++) {
      String name = "v" + StencilProgram.axes(axes.dimensions()).get(axis);
      velocities.add(axes.varies().get(axis) ? constants.get(name) : 0.0);
    }
    return velocities;
  }
}
