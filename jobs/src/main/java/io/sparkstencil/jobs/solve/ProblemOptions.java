/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.jobs.command.FloatingTypes;
import io.sparkstencil.jobs.command.GridSize;
import io.sparkstencil.model.ElementType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What is solved, as the command line says it. */
final class ProblemOptions {
  @Option(
      names = "--equation",
      paramLabel = "E",
      description =
          "heat, wave, advection, gray-scott, or FILE.stencil with the text of a program.")
  private String equation;

  @Option(
      names = {"--grid", "--extent"},
      paramLabel = "NxM",
      description =
          "The cells along 1 to 3 axes. Default: those of the first file that --field names, or"
              + " 256x256.")
  private String grid;

  @Option(
      names = "--field",
      paramLabel = "NAME=CELLS",
      description =
          "First cells of a field: an expression over positions, such as 'u=where(x < nx/2, 1, 0)';"
              + " gaussian or plane-wave; FILE.npy, DIR.zarr or FILE.tif, or an array in a group, DIR.zarr/NAME or FILE.nc/NAME, with as many"
              + " cells as the grid, or a slice of it, such as DIR.zarr/NAME[time=3]; once for each field.")
  private Map<String, String> fields = new LinkedHashMap<>();

  @Option(
      names = "--rows",
      paramLabel = "TABLE",
      description =
          "A table whose rows have first cells: columns named as the axes, x, y, z, have their"
              + " positions from 0, and those named as fields the cells; others are 0. FILE.parquet, .csv, .json or .orc,"
              + " or the name of a table that Spark knows.")
  private String rows;

  @Option(
      names = "--raw",
      paramLabel = "NAME",
      description =
          "A field whose file is read as its numbers are stored: packing is not undone, and missing"
              + " values stay the numbers that stand for them; repeatable.")
  private List<String> raw = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "NAME=X",
      description =
          "A constant of the equation, such as diffusivity=0.5, or a number for a name in the"
              + " file.")
  private Map<String, Double> set = new LinkedHashMap<>();

  @Option(
      names = "--dt",
      paramLabel = "T",
      defaultValue = "auto",
      description = "The time of a step. auto (default): a safe share of the longest stable one.")
  private String dt;

  @Option(
      names = "--boundary",
      paramLabel = "RULES",
      description =
          "Rules outside the grid: periodic, constant:C, nearest, reflect or mirror; for sides,"
              + " 'x=periodic,y.low=constant:1'; for a field, 'u:x=periodic'; repeatable.")
  private List<String> boundaries = new ArrayList<>();

  @Option(
      names = "--type",
      paramLabel = "T",
      defaultValue = "f64",
      converter = FloatingTypes.class,
      completionCandidates = FloatingTypes.class,
      description = "The type of cells: f32 or f64. Default: ${DEFAULT-VALUE}.")
  private ElementType type;

  @Option(
      names = "--accuracy",
      paramLabel = "A",
      defaultValue = "exact",
      description = "exact (default), fma or fast.")
  private String accuracy;

  @Option(
      names = "--show",
      paramLabel = "NAME",
      description = "The field of pictures and of --until. Default: that of the equation.")
  private String shown;

  String equation() {
    return equation;
  }

  Map<String, String> fields() {
    return fields;
  }

  List<String> raw() {
    return raw;
  }

  /** Returns the table with first cells, or null. */
  String rows() {
    return rows;
  }

  Map<String, Double> set() {
    return set;
  }

  String dt() {
    return dt;
  }

  List<String> boundaries() {
    return boundaries;
  }

  ElementType type() {
    return type;
  }

  String accuracy() {
    return accuracy;
  }

  String shown() {
    return shown;
  }

  /** Returns the cells along each axis, if they were given. */
  Optional<List<Long>> shape() {
    return Optional.ofNullable(grid).map(GridSize::parse);
  }
}
