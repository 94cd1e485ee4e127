/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.spark.ColumnProgram;
import io.sparkstencil.spark.StencilQuery;
import io.sparkstencil.spark.Stencils;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
 * @param columns the columns that are read
 * @param results the result columns
 * @param ordered whether the rows are promised to be in order already
 * @param engine {@code auto} or an engine's name
 */
public record ApplyRequest(
    String orderBy,
    List<String> partitionBy,
    List<String> columns,
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
  public sealed interface Calculation {
    /** Returns over what it is computed, such as {@code 3 rows on each side}. */
    String over();
  }

  /** A stencil over frames. */
  public record OfStencil(Stencil stencil) implements Calculation {
    @Override
    public String over() {
      return new WindowFrame.OfRows(stencil.frame()).text();
    }
  }

  /** A program over the whole column. */
  public record OfProgram(ColumnProgram program) implements Calculation {
    @Override
    public String over() {
      return program.steps() == 1 ? "1 step" : program.steps() + " steps";
    }
  }

  /** A window of Spark's. */
  record OfWindow(WindowFunction function, WindowFrame frame) implements Calculation {
    @Override
    public String over() {
      return frame.text();
    }
  }

  /** Returns what a picture of a column and its results is called. */
  String title(String source) {
    List<ResultColumn> own = results.stream().filter(each -> each.source().equals(source)).toList();
    String over =
        own.stream()
            .map(each -> each.calculation().over())
            .distinct()
            .collect(Collectors.joining("; "));
    String names = own.stream().map(ResultColumn::name).collect(Collectors.joining(", "));
    return own.isEmpty() ? source : "%s: %s".formatted(names, over);
  }

  /** Copies the lists. */
  public ApplyRequest {
    partitionBy = List.copyOf(partitionBy);
    columns = List.copyOf(columns);
    results = List.copyOf(results);
  }

  /** Describes results that say themselves which columns are read. */
  public ApplyRequest(
      String orderBy,
      List<String> partitionBy,
      List<ResultColumn> results,
      boolean ordered,
      String engine) {
    this(
        orderBy,
        partitionBy,
        results.stream().map(ResultColumn::source).distinct().toList(),
        results,
        ordered,
        engine);
  }

  /** Returns the rows of {@code table} with the results that are asked for; nothing runs yet. */
  public Dataset<Row> applyTo(Dataset<Row> table) {
    List<ResultColumn> windows =
        results.stream().filter(each -> each.calculation() instanceof OfWindow).toList();
    if (windows.size() == results.size()) {
      return withWindows(table, windows);
    }
    StencilQuery query =
        Stencils.over(withWindows(table, windows))
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
    Dataset<Row> all = (ordered ? query.ordered() : query).toDataset();
    return windows.isEmpty() ? all : all.select(inOrder(table));
  }

  private Dataset<Row> withWindows(Dataset<Row> table, List<ResultColumn> windows) {
    if (windows.isEmpty()) {
      return table;
    }
    List<String> taken = new ArrayList<>(List.of(table.columns()));
    DataType order = fieldOf(table.schema(), orderBy).dataType();
    partitionBy.forEach(key -> fieldOf(table.schema(), key));
    List<Column> columns = new ArrayList<>(List.of(col("*")));
    for (ResultColumn result : windows) {
      OfWindow of = (OfWindow) result.calculation();
      of.frame().requireOf(orderBy, order);
      if (taken.stream().anyMatch(result.name()::equalsIgnoreCase)) {
        throw new InvalidStencilException(
            "there is a column \"%s\" already; give the result another name"
                .formatted(result.name()));
      }
      taken.add(result.name());
      String window = of.frame().sql(partitionBy, orderBy, order);
      columns.add(expr(of.function().sql(result.source(), window)).as(result.name()));
    }
    return table.select(columns.toArray(Column[]::new));
  }

  /** Returns the columns of the table, followed by the results as they were asked for. */
  private Column[] inOrder(Dataset<Row> table) {
    return Stream.concat(Stream.of(table.columns()), results.stream().map(ResultColumn::name))
        .map(ApplyRequest::quoted)
        .toArray(Column[]::new);
  }

  /** Returns the columns that are read, each once. */
  List<String> sources() {
    return columns.stream().distinct().toList();
  }

  /** Tells whether frames of rows are asked for, which mean no fixed times. */
  boolean countsRows() {
    return results.stream()
        .anyMatch(
            each ->
                !(each.calculation() instanceof OfWindow of
                    && of.frame() instanceof WindowFrame.OfOrder));
  }

  /** Returns the column of that very name, whatever characters it has. */
  static Column quoted(String column) {
    return col(WindowFrame.quoted(column));
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
    for (String source : columns) {
      StructField field = fieldOf(schema, source);
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
