/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.apache.spark.sql.functions.col;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.ColumnProgram;
import io.sparkstencil.spark.StencilQuery;
import io.sparkstencil.spark.Stencils;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * What is applied to a table: its order and the stencils over its columns.
 *
 * @param orderBy the column that orders the rows
 * @param partitionBy the columns that tell series apart; empty for one series
 * @param results the result columns
 * @param ordered whether the rows are promised to be in order already
 * @param engine {@code auto} or an engine's name
 */
public record ApplyRequest(
    String orderBy,
    List<String> partitionBy,
    List<ResultColumn> results,
    boolean ordered,
    String engine) {
  private static final List<DataType> NUMBERS =
      List.of(
          DataTypes.ByteType,
          DataTypes.ShortType,
          DataTypes.IntegerType,
          DataTypes.LongType,
          DataTypes.FloatType,
          DataTypes.DoubleType);

  /**
   * One result column.
   *
   * @param source the column that is read
   * @param calculation what is computed
   * @param name the name of the result
   */
  public record ResultColumn(String source, Calculation calculation, String name) {
    /** Describes the results of a stencil. */
    public ResultColumn(String source, Stencil stencil, String name) {
      this(source, new OfStencil(stencil), name);
    }
  }

  /** What is computed from a column. */
  public sealed interface Calculation {}

  /** A stencil over frames. */
  public record OfStencil(Stencil stencil) implements Calculation {}

  /** A program over the whole column. */
  public record OfProgram(ColumnProgram program) implements Calculation {}

  /** Copies the lists. */
  public ApplyRequest {
    partitionBy = List.copyOf(partitionBy);
    results = List.copyOf(results);
  }

  /** Returns the rows of {@code table} with the results that are asked for; nothing runs yet. */
  public Dataset<Row> applyTo(Dataset<Row> table) {
    StencilQuery query =
        Stencils.over(table)
            .partitionBy(partitionBy.toArray(String[]::new))
            .orderBy(orderBy)
            .engine(engine);
    for (ResultColumn result : results) {
      if (result.calculation() instanceof OfStencil of) {
        query = query.apply(result.source(), of.stencil(), result.name());
      } else if (result.calculation() instanceof OfProgram of) {
        query = query.apply(result.source(), of.program(), result.name());
      }
    }
    return (ordered ? query.ordered() : query).toDataset();
  }

  /** Returns the column of that very name, whatever characters it has. */
  static Column quoted(String column) {
    return col("`" + column.replace("`", "``") + "`");
  }

  /** Returns the field called {@code column}, as Spark would find it: in any case. */
  static StructField fieldOf(StructType schema, String column) {
    StructField found = null;
    for (StructField field : schema.fields()) {
      if (field.name().equals(column)) {
        return field;
      }
      if (field.name().equalsIgnoreCase(column)) {
        found = field;
      }
    }
    if (found == null) {
      throw new InvalidStencilException(
          "there is no column %s; the table has %s%s"
              .formatted(
                  column, String.join(", ", NestedColumns.names(schema)), hint(schema, column)));
    }
    return found;
  }

  private static String hint(StructType schema, String column) {
    if (schema.size() == 1 && schema.fieldNames()[0].matches(".*[;\t|].*")) {
      return " alone; set the character between fields with --separator";
    }
    return column.contains(",") ? "; name one column here" : "";
  }

  /**
   * Checks that the columns that are read hold numbers.
   *
   * @throws InvalidStencilException if one does not
   */
  void requireNumbers(StructType schema) {
    for (ResultColumn result : results) {
      StructField field = fieldOf(schema, result.source());
      if (NUMBERS.contains(field.dataType())) {
        continue;
      }
      List<String> inside = NestedColumns.fields(field.name(), field.dataType(), NUMBERS::contains);
      if (!inside.isEmpty()) {
        throw new InvalidStencilException(
            "column %s is a struct; name one of its fields, %s"
                .formatted(field.name(), String.join(", ", inside)));
      }
      throw new InvalidStencilException(
          "column %s is %s, and --column takes tinyint, smallint, int, bigint, float and double; write the table with a column of one of them first"
              .formatted(field.name(), field.dataType().simpleString()));
    }
  }
}
