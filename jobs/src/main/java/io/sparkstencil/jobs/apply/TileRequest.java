/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.program.Node;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.spark.Stencils;
import io.sparkstencil.spark.TileQuery;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StructField;

/**
 * What is applied to a table of tiles.
 *
 * @param position the columns with the numbers of tiles along rows and along columns
 * @param partitionBy the columns that tell rasters apart; empty for one raster
 * @param program what is computed
 * @param names the names of results, by the columns with tiles
 * @param engine {@code auto} or an engine's name
 */
record TileRequest(
    List<String> position,
    List<String> partitionBy,
    TileProgram program,
    Map<String, String> names,
    String engine) {
  /**
   * A program over the raster that the tiles of a column make.
   *
   * @param text of the program
   * @param steps how often it is applied
   * @param boundary the rule beyond the raster
   * @param accuracy of sums of products
   */
  record TileProgram(String text, int steps, String boundary, String accuracy) {
    /**
     * Returns a program that has been read.
     *
     * @throws InvalidStencilException if tiles cannot be computed with it
     */
    static TileProgram of(
        StencilProgram program, String text, int steps, String boundary, String accuracy) {
      if (steps < 1) {
        throw new InvalidStencilException("%d steps; use at least 1".formatted(steps));
      }
      long fields =
          program.nodes().stream()
              .filter(node -> node instanceof Node.Tap tap && !tap.updated())
              .map(node -> ((Node.Tap) node).field())
              .distinct()
              .count();
      if (fields > 1) {
        throw new InvalidStencilException(
            "the expression reads %d of the fields %s, and tiles are the cells of one; read one field"
                .formatted(fields, program.fields()));
      }
      ParameterValues.of(program, Map.of());
      return new TileProgram(text, steps, boundary, accuracy);
    }

    /** Returns it as a call in SQL. */
    String call(String column) {
      return "stencil_expr(%s, %s, %d, %s, %s)"
          .formatted(
              WindowFrame.quoted(column),
              literal(text),
              steps,
              literal(boundary),
              literal(accuracy));
    }

    private static String literal(String text) {
      return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
  }

  private static void requireTiles(StructField column) {
    if (!(column.dataType() instanceof ArrayType rows
        && rows.elementType() instanceof ArrayType cells
        && cells.elementType() instanceof NumericType)) {
      throw new InvalidStencilException(
          "column %s is %s, and tiles are arrays of arrays of numbers; name a column of such arrays"
              .formatted(column.name(), column.dataType().simpleString()));
    }
  }

  /** Returns the names of all columns that are read. */
  Set<String> columns() {
    return Stream.of(position, partitionBy, names.keySet())
        .flatMap(Collection::stream)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Returns the rows of {@code table} with the results that are asked for; nothing runs yet. */
  Dataset<Row> applyTo(Dataset<Row> table) {
    columns().forEach(column -> ApplyRequest.fieldOf(table.schema(), column));
    names.keySet().forEach(column -> requireTiles(ApplyRequest.fieldOf(table.schema(), column)));
    if (!engine.equals(Engines.AUTO)) {
      table.sparkSession().conf().set("spark.stencil.engine", engine);
    }
    TileQuery query =
        Stencils.tiles(table)
            .at(position.get(0), position.get(1))
            .partitionBy(partitionBy.toArray(String[]::new));
    for (Map.Entry<String, String> result : names.entrySet()) {
      query = query.apply(program.call(result.getKey()), result.getValue());
    }
    return query.toDataset();
  }
}
