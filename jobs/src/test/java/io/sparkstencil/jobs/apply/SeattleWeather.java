/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The weather file, read without Spark: its rows are in order of the date. */
public final class SeattleWeather {
  static final Path CSV =
      Path.of(System.getProperty("stencil.home"), "examples/data/seattle-weather.csv");

  private SeattleWeather() {}

  public static Double[] column(String name) throws IOException {
    return column(CSV, name);
  }

  /** Returns a column of a CSV file without quotes; null where a field is empty. */
  public static Double[] column(Path csv, String name) throws IOException {
    List<String> lines = Files.readAllLines(csv);
    int index = List.of(lines.get(0).split(",", -1)).indexOf(name);
    List<Double> values = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String field = line.split(",", -1)[index];
      values.add(field.isEmpty() ? null : Double.valueOf(field));
    }
    return values.toArray(Double[]::new);
  }
}
