/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.grid.PointSource;
import io.sparkstencil.grid.Receiver;
import io.sparkstencil.jobs.files.RegularFiles;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A table of cells as CSV without quotes: a header line, then one line per row. Empty lines and
 * lines that begin with # are skipped.
 */
final class CellTable {
  private static final String FIELD = "field";
  private static final String STEP = "step";
  private static final String VALUE = "value";
  private static final String NAME = "name";
  private static final int LONGEST_SERIES = 100_000_000;

  private final Path file;
  private final List<String> header;
  private final List<Row> rows = new ArrayList<>();

  /** A line of the file, whose number is counted from 1. */
  private record Row(int line, List<String> cells) {}

  private CellTable(Path file, List<String> header) {
    this.file = file;
    this.header = header;
  }

  /**
   * Reads sources: the columns are {@code field}, one per axis, {@code step} and {@code value}. The
   * value is added to the cell after the step, counted from 0; rows of one cell are one source.
   *
   * @param option the option that names the file
   * @param axes the names of the axes
   */
  static List<PointSource> sources(String option, Path file, List<String> axes) {
    List<String> columns = new ArrayList<>(List.of(FIELD));
    columns.addAll(axes);
    columns.addAll(List.of(STEP, VALUE));
    CellTable table = read(option, file, columns);
    Map<String, Map<List<Long>, TreeMap<Long, Double>>> series = new LinkedHashMap<>();
    for (Row row : table.rows) {
      long step = table.integer(row, STEP);
      if (step < 0 || step >= LONGEST_SERIES) {
        throw table.bad(row, "step %d; use 0 to %d".formatted(step, LONGEST_SERIES - 1));
      }
      List<Long> cell = Arrays.stream(table.cell(row, axes)).boxed().toList();
      Double before =
          series
              .computeIfAbsent(table.text(row, FIELD), field -> new LinkedHashMap<>())
              .computeIfAbsent(cell, each -> new TreeMap<>())
              .put(step, table.number(row, VALUE));
      if (before != null) {
        throw table.bad(row, "a second value for step %d of the same cell".formatted(step));
      }
    }
    List<PointSource> sources = new ArrayList<>();
    series.forEach(
        (field, cells) ->
            cells.forEach(
                (cell, values) -> {
                  double[] dense = new double[(int) (values.lastKey() + 1)];
                  values.forEach((step, value) -> dense[step.intValue()] = value);
                  long[] at = cell.stream().mapToLong(Long::longValue).toArray();
                  sources.add(new PointSource(field, at, dense));
                }));
    return sources;
  }

  /** Reads receivers: the columns are {@code name}, {@code field} and one per axis. */
  static List<Receiver> receivers(String option, Path file, List<String> axes) {
    List<String> columns = new ArrayList<>(List.of(NAME, FIELD));
    columns.addAll(axes);
    CellTable table = read(option, file, columns);
    return table.rows.stream()
        .map(
            row ->
                new Receiver(table.text(row, FIELD), table.cell(row, axes), table.text(row, NAME)))
        .toList();
  }

  /**
   * Writes what receivers have got: a row per step with its time, and a column per receiver.
   *
   * @param dt the time of a step
   */
  static void writeSamples(Path file, Map<String, double[]> samples, long lastStep, double dt)
      throws IOException {
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
      out.write("step,time");
      for (String name : samples.keySet()) {
        out.write("," + name);
      }
      out.write('\n');
      int rows = samples.values().stream().mapToInt(values -> values.length).max().orElse(0);
      for (int row = 0; row < rows; row++) {
        long step = lastStep - rows + row + 1;
        out.write(step + "," + step * dt);
        for (double[] values : samples.values()) {
          out.write("," + values[row]);
        }
        out.write('\n');
      }
    }
  }

  private static CellTable read(String option, Path file, List<String> columns) {
    List<String> lines = RegularFiles.text(option, file).lines().toList();
    CellTable table = null;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      List<String> cells = List.of(line.split("\\s*,\\s*", -1));
      if (table == null) {
        table = new CellTable(file, cells);
        if (!table.header.equals(columns)) {
          throw table.bad(
              new Row(i + 1, cells),
              "the columns %s; expected %s".formatted(table.header, columns));
        }
      } else {
        Row row = new Row(i + 1, cells);
        if (cells.size() != columns.size()) {
          throw table.bad(row, "%d values for %d columns".formatted(cells.size(), columns.size()));
        }
        table.rows.add(row);
      }
    }
    if (table == null) {
      throw new BadDataException(
          "%s %s is empty; its first line has the columns %s".formatted(option, file, columns));
    }
    return table;
  }

  private BadDataException bad(Row row, String what) {
    return new BadDataException("%s, line %d: %s".formatted(file, row.line(), what));
  }

  private String text(Row row, String column) {
    return row.cells().get(header.indexOf(column));
  }

  private long[] cell(Row row, List<String> axes) {
    return axes.stream().mapToLong(axis -> integer(row, axis)).toArray();
  }

  private long integer(Row row, String column) {
    try {
      return Long.parseLong(text(row, column));
    } catch (NumberFormatException e) {
      throw bad(row, "\"%s\" is no whole number for %s".formatted(text(row, column), column));
    }
  }

  private double number(Row row, String column) {
    try {
      return Double.parseDouble(text(row, column));
    } catch (NumberFormatException e) {
      throw bad(row, "\"%s\" is no number for %s".formatted(text(row, column), column));
    }
  }
}
