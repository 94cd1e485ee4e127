/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cpu.program.CpuProgram;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Elementary functions of cells, and focal functions, slopes and shades of rasters with missing
 * cells: on a GPU they have the bits of the CPU.
 */
final class RasterPrograms {
  /** Functions of one cell; arguments have every size. */
  static final List<String> ELEMENTARY =
      List.of(
          "u' = sin(u)",
          "u' = cos(u)",
          "u' = exp(u)",
          "u' = log(u)",
          "u' = tanh(u)",
          "u' = atan(u)",
          "u' = atan2(u, u[0,1])");

  /** Functions of the cells around each cell, those that are missing left out. */
  static final List<String> FOCAL =
      List.of(
          "u' = focal_mean(u, 1)",
          "u' = focal_sum(u, 2)",
          "u' = focal_stddev(u, 1)",
          "u' = focal_min(u, 2)",
          "u' = focal_max(u, 1)",
          "u' = focal_median(u, 1)",
          "u' = focal_gaussian(u, 0.8)",
          "u' = slope(u, 30, 20)",
          "u' = aspect(u, 30)",
          "u' = hillshade(u, 30, 30, 300, 40)",
          "u' = sobel(u)");

  private static final List<String> BOUNDARIES = List.of("nearest", "constant:nan", "wrap");
  private static final double[] SPECIAL = {
    0.0,
    -0.0,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Float.MIN_VALUE,
    1e308,
    -1e300
  };

  private RasterPrograms() {}

  /** Returns what differs, over both types and accuracies. */
  static List<String> elementary(GpuPrograms engine, String text, Extent extent, int steps) {
    List<String> wrong = new ArrayList<>();
    for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
      for (Accuracy accuracy : List.of(Accuracy.EXACT, Accuracy.FMA)) {
        StencilProgram program =
            BoundaryText.apply(ProgramText.parse(text, 2), "reflect").withAccuracy(accuracy);
        wrong.addAll(differences(engine, program, numbers(type, extent), steps, text));
      }
    }
    return wrong;
  }

  /** Returns what differs, over both types and several boundaries. */
  static List<String> focal(GpuPrograms engine, String text, Extent extent, int steps) {
    List<String> wrong = new ArrayList<>();
    int turn = 0;
    for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
      for (String boundary : BOUNDARIES) {
        StencilProgram program =
            BoundaryText.apply(ProgramText.parse(text, 2), boundary)
                .withAccuracy(turn++ % 2 == 0 ? Accuracy.EXACT : Accuracy.FMA);
        wrong.addAll(differences(engine, program, heights(type, extent), steps, text));
      }
    }
    return wrong;
  }

  private static List<String> differences(
      GpuPrograms engine, StencilProgram program, ProgramArrays cells, int steps, String text) {
    ProgramArrays expected = new ProgramArrays(cells.type(), cells.extent(), copies(cells));
    CpuProgram.compile(program, Map.of()).run(expected, ParameterValues.NONE, steps, 2);
    engine.compile(program).run(cells, ParameterValues.NONE, steps, 1);
    int cell = ProgramChecks.mismatch(expected.arrays().get(0), cells.arrays().get(0));
    return cell < 0
        ? List.of()
        : List.of(
            "%s, %s, %s, %d steps: cell %d differs"
                .formatted(text, program.accuracy(), cells.type(), steps, cell));
  }

  private static List<Object> copies(ProgramArrays cells) {
    return cells.arrays().stream()
        .map(
            array ->
                array instanceof float[] floats
                    ? (Object) floats.clone()
                    : ((double[]) array).clone())
        .toList();
  }

  /** Numbers of every size, and special ones. */
  private static ProgramArrays numbers(ElementType type, Extent extent) {
    SplittableRandom random = new SplittableRandom(11);
    return arrays(
        type,
        extent,
        i ->
            random.nextInt(16) == 0
                ? special(random)
                : (random.nextBoolean() ? 1 : -1)
                    * Math.scalb(1 + random.nextDouble(), random.nextInt(40) - 24));
  }

  private static double special(SplittableRandom random) {
    int which = random.nextInt(SPECIAL.length + 1);
    return which == SPECIAL.length ? Double.NaN : SPECIAL[which];
  }

  /** A rough surface, every twelfth cell of which is missing, with a hole in it. */
  private static ProgramArrays heights(ElementType type, Extent extent) {
    SplittableRandom random = new SplittableRandom(12);
    int columns = extent.size(1);
    return arrays(
        type,
        extent,
        i -> {
          int row = i / columns;
          int column = i % columns;
          boolean hole = row / 9 == 1 && column / 9 == 2;
          return hole || random.nextInt(12) == 0
              ? Double.NaN
              : 900 + 40 * Math.sin(0.1 * row) + 30 * Math.cos(0.07 * column) + random.nextDouble();
        });
  }

  /** What the cells of a field are. */
  @FunctionalInterface
  private interface Cell {
    double at(int index);
  }

  private static ProgramArrays arrays(ElementType type, Extent extent, Cell cell) {
    Object array = type.newArray(extent.cells());
    for (int i = 0; i < extent.cells(); i++) {
      if (array instanceof float[] floats) {
        floats[i] = (float) cell.at(i);
      } else {
        ((double[]) array)[i] = cell.at(i);
      }
    }
    return new ProgramArrays(type, extent, List.of(array));
  }
}
