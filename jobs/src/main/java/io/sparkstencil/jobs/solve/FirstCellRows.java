/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.files.TableFormat;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.grid.GridBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * First cells in the rows of a table: columns named as axes have positions, those named as fields
 * have cells.
 */
final class FirstCellRows {
  private FirstCellRows() {}

  /**
   * Gives a grid these cells.
   *
   * @param table a file or folder whose format its ending tells, or a table of the session
   * @param given the fields whose cells are given otherwise
   * @return the fields that have cells now
   * @throws InvalidStencilException if columns are missing
   */
  static Set<String> addTo(
      GridBuilder builder, SparkSession session, String table, Problem problem, Set<String> given) {
    Dataset<Row> rows =
        TableFormat.ofPath(table)
            .map(format -> format.read(session, table))
            .orElseGet(() -> session.table(table));
    List<String> columns = List.of(rows.columns());
    StencilProgram program = problem.program();
    if (!columns.containsAll(program.axes())) {
      throw new InvalidStencilException(
          "--rows %s has the columns %s, and positions along %s are needed; name columns so"
              .formatted(table, columns, program.axes()));
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (String field : program.fields()) {
      if (columns.contains(field)) {
        fields.put(field, field);
      }
    }
    if (fields.isEmpty()) {
      throw new InvalidStencilException(
          "--rows %s has the columns %s, and none of them is a field of %s; name columns so"
              .formatted(table, columns, program.fields()));
    }
    for (String field : program.fields()) {
      if (!given.contains(field)) {
        twin(problem, field, columns).ifPresent(column -> fields.putIfAbsent(field, column));
      }
    }
    builder.rows(rows, program.axes(), fields);
    return fields.keySet();
  }

  /** A wave that begins with other cells begins at rest, too: two fields have one column. */
  private static Optional<String> twin(Problem problem, String field, List<String> columns) {
    GivenCells usual = problem.fields().get(field);
    return problem.fields().entrySet().stream()
        .filter(other -> columns.contains(other.getKey()) && other.getValue().equals(usual))
        .map(Map.Entry::getKey)
        .findFirst();
  }
}
