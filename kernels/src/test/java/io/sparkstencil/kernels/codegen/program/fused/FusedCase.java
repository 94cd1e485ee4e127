/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A program of which kernels of several steps are made. */
public record FusedCase(String name, StencilProgram program, ElementType type) {
  private static final List<String> LINES =
      List.of(
          "three: u' = 0.3*u[-1] + 0.4*u[0] + 0.29*u[1]",
          "five: u' = 0.1*u[-2] + 0.2*u[-1] + 0.4*u[0] + 0.19*u[1] + 0.11*u[2]",
          "seven: u' = u[-3] - u[-2] + 0.5*u[-1] + 0.4*u[0] + 0.19*u[1] - u[2] + u[3]",
          "nine: u' = 0.1*u[-4] + 0.2*u[-1] + 0.4*u[0] + 0.19*u[3] + 0.11*u[4]",
          "upwind: u' = u - 0.3*(u - u[-1])",
          "ahead: u' = 0.5*u[2] + 0.5*u[3]",
          "pair: u' = u + 0.1*(u[-1] - 2*u + u[1]) - u*v*v; v' = v + u*v*v - 0.1*v[1]",
          "swap: u' = v[0]; v' = u[1]",
          "uniform stage: u' = -0.5; v' = u'[-1] + v[2]",
          "leap-frog: v' = v + 0.1*(u[1] - u); u' = u + 0.1*(v' - v'[-1])",
          "coefficient: u' = u + c[0]*(u[-1] - 2*u + u[1])",
          "parameter: u' = u + dt*(u[-1] - 2*u + u[1])",
          "place: u' = where(x < 300, u[1], u[-1] + 0.001*x)",
          "extremes: u' = max(min(u[-1], u), u[1])");

  private static final List<String> PLANES =
      List.of(
          "five: u' = 0.1*u[-1,0] + 0.15*u[0,-1] + 0.5*u[0,0] + 0.11*u[0,1] + 0.12*u[1,0]",
          "laplacian: u' = u + 0.1*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u)",
          "box of nine: u' = " + box(2, 1),
          "thirteen: u' = 0.02*u[-3,0] + 0.03*u[-2,0] + 0.1*u[-1,0] + 0.015*u[0,-3]"
              + " + 0.025*u[0,-2] + 0.1*u[0,-1] + 0.3*u[0,0] + 0.11*u[0,1] + 0.021*u[0,2]"
              + " + 0.013*u[0,3] + 0.12*u[1,0] + 0.03*u[2,0] + 0.02*u[3,0]",
          "box of 25: u' = " + box(2, 2),
          "box of 81: u' = " + box(2, 4),
          "gray-scott: u' = u + (0.16*(u[-1,0] + u[0,-1] + u[0,1] + u[1,0] - 4*u) - u*v*v"
              + " + 0.035*(1 - u)); v' = v + (0.08*(v[-1,0] + v[0,-1] + v[0,1] + v[1,0] - 4*v)"
              + " + u*v*v - 0.1*v)",
          "wave: v' = v + 0.1*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1] - 4*u); u' = u + 0.1*v'",
          "staggered: v' = v + 0.1*(u[1,0] - u); w' = w + 0.1*(u[0,1] - u);"
              + " u' = u + 0.1*(v' - v'[-1,0] + w' - w'[0,-1])",
          "coefficient: u' = c[0,0]*u[-1,0] + 0.15*u[0,-1] + 0.5*u + c[1,-1]*u[1,0]",
          "place: u' = where(u > u[-1,0], u - 0.001*x, u[0,1] + 0.002*y)",
          "parameter: u' = u + dt*(u[-1,0] + u[0,-1] - 2*u)",
          "one side: u' = 0.2*u[-2,0] + 0.3*u[0,0] + 0.1*u[0,-3] + 0.4*u[0,1]",
          "extremes: u' = max(min(u[-1,0], u[1,0]), u[0,1])",
          "swap: u' = v[1,0]; v' = u[0,1]",
          "uniform stage: u' = -0.5; v' = u'[-1,2] + v[0,1]",
          "handed on: t = u + u[1,-1]; u' = t - u[0,0]; v' = 0.5*v[-2,-1] + u'[-1,1]; w' = t",
          "only ahead: u' = min(y, y + c[1,5])",
          "drift: u' = u[1,2] / 1.5",
          "far: u' = 0.5*u[0,-9] + 0.25*u[-1,0] + 0.125*u[0,6]",
          "without inputs: u' = 0.5*x - y; v' = u'[0,1] + u'[-1,0]");

  private static final List<String> SOLIDS =
      List.of(
          "seven: u' = 0.1*u[-1,0,0] + 0.11*u[0,-1,0] + 0.12*u[0,0,-1] + 0.2*u + 0.13*u[0,0,1]"
              + " + 0.14*u[0,1,0] + 0.15*u[1,0,0]",
          "laplacian: u' = u[0,0,0] + 0.1*laplacian(u)",
          "heat: u' = u + 0.1*(u[-1,0,0] + u[1,0,0] + u[0,-1,0] + u[0,1,0] + u[0,0,-1]"
              + " + u[0,0,1] - 6*u)",
          "box of 27: u' = " + box(3, 1),
          "wave: u' = 2*u - p + c[0,0,0]*laplacian(u, 8); p' = u",
          "absorbed wave: s = where(x < 9, 9 - x, 0)*0.01;"
              + " u' = (2*u - (1 - s)*p + c[0,0,0]*laplacian(u, 4))/(1 + s); p' = u",
          "leap-frog: u' = u + dt*(c*u[-1,0,0] + u[1,0,0] - 2*u + v[0,-1,1]);"
              + " v' = v + 0.5*(u'[0,1,0] - u'[0,0,-1])*x - c[1,0,1]*min(v, u)",
          "staggered: v' = v + 0.1*(u[1,0,0] - u); w' = w + 0.1*(u[0,1,0] - u);"
              + " u' = u + 0.1*(v' - v'[-1,0,0] + w' - w'[0,-1,0])",
          "coefficient: u' = c[0,0,0]*u[-1,0,0] + 0.15*u[0,-1,0] + c[1,-1,2]*u[1,0,0]",
          "place: u' = where(u > u[-1,0,0], u - 0.001*x, u[0,1,0] + 0.002*y - 0.001*z)",
          "parameter: u' = u + dt*(u[-1,0,0] + u[0,-1,0] + u[0,0,2] - 3*u)",
          "one side: u' = 0.5*u[-2,1,0] + 0.3*u[0,-2,3] + 0.1*u[1,0,-1]",
          "extremes: u' = max(min(u[-1,0,0], u[1,0,0]), u[0,1,0])",
          "swap: u' = v[1,0,0]; v' = u[0,1,0]",
          "drift: u' = u[1,2,-1] / 1.5",
          "far: u' = 0.5*u[0,-9,0] + 0.25*u[-1,0,0] + 0.125*u[0,0,6] + 0.125*u[0,2,-5]",
          "late: u' = c[1,0,-1] * (0.3*u[0,1,-2] + 0.6*u[-1,0,0])",
          "along: u' = 0.5*u[0,0,-1] + 0.5*u[0,0,1]");

  /** Returns a weighted sum of the cells of a square or a cube. */
  private static String box(int dimensions, int radius) {
    int width = 2 * radius + 1;
    int cells = (int) Math.pow(width, dimensions);
    List<String> terms = new ArrayList<>();
    for (int cell = 0; cell < cells; cell++) {
      List<String> offset = new ArrayList<>();
      for (int axis = 0, left = cell; axis < dimensions; axis++, left /= width) {
        offset.add(0, Integer.toString(left % width - radius));
      }
      terms.add("0.0%d*u[%s]".formatted(10 + cell, String.join(",", offset)));
    }
    return String.join(" + ", terms);
  }

  /** Returns programs with a number of axes, of both types and with both accuracies. */
  static List<FusedCase> of(int dimensions) {
    List<FusedCase> cases = new ArrayList<>();
    for (String line : List.of(LINES, PLANES, SOLIDS).get(dimensions - 1)) {
      int colon = line.indexOf(':');
      // results that depend on a cell outside would tell
      StencilProgram program =
          ProgramText.parse(line.substring(colon + 1)).withBoundary(Boundary.constant(7.5));
      for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
        for (Accuracy accuracy : List.of(Accuracy.EXACT, Accuracy.FMA)) {
          String name =
              "%s %s %s"
                  .formatted(line.substring(0, colon), type, accuracy)
                  .toLowerCase(Locale.ROOT);
          cases.add(new FusedCase(name, program.withAccuracy(accuracy), type));
        }
      }
    }
    return cases;
  }

  ProgramTraits traits() {
    return ProgramTraits.of(program);
  }

  @Override
  public String toString() {
    return name;
  }
}
