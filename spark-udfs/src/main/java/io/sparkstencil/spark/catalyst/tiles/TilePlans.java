/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.spark.catalyst.arrays.ProgramExpression;
import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.plan.DatasetPlans;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.types.AtomicType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.FractionalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.StructField;

/** Makes queries of functions over tiles. */
public final class TilePlans {
  private static final String ROW = "stencil_tile_row";
  private static final String COLUMN = "stencil_tile_column";
  private static final String CELLS = "stencil_tile_cells";
  private static final String KEY = "stencil_tile_key";

  private final List<String> position;
  private final List<String> partitionBy;

  private TilePlans(List<String> position, List<String> partitionBy) {
    this.position = position;
    this.partitionBy = partitionBy;
  }

  /**
   * A call of a function of images.
   *
   * @param call in SQL, with the name of a column of tiles as its array
   * @param as the column of its results
   */
  public record TileCall(String call, String as) {}

  /**
   * Calls over one column whose tiles need the same beside them, or part of it.
   *
   * @param cells the column, as the type that programs compute with
   */
  private record Stage(
      Expression cells, TileReach reach, List<TileCall> calls, List<ProgramOperation> operations) {
    private boolean agrees(Stage next) {
      return cells.semanticEquals(next.cells) && reach.agrees(next.reach);
    }

    private Stage and(Stage next) {
      return new Stage(
          cells,
          reach.or(next.reach),
          Stream.concat(calls.stream(), next.calls.stream()).toList(),
          Stream.concat(operations.stream(), next.operations.stream()).toList());
    }
  }

  /** Returns what plans tiles, for sessions that read the results of others, too. */
  public static SparkStrategy strategy() {
    return new TileNode.Strategy();
  }

  /**
   * Returns the rows of {@code input} with the results of calls.
   *
   * @param position the columns with the numbers of tiles along rows and along columns
   * @param partitionBy the columns that tell rasters apart
   * @throws InvalidStencilException if a column is not there or has the wrong type, or a call is
   *     none of a function of images
   */
  public static Dataset<Row> results(
      Dataset<Row> input, List<String> position, List<String> partitionBy, List<TileCall> calls) {
    TilePlans plans = new TilePlans(position, partitionBy);
    plans.check(input, calls);
    Dataset<Row> made = input;
    for (Stage stage : plans.stages(input, calls)) {
      made = plans.computed(made, stage);
    }
    return made;
  }

  private void check(Dataset<Row> input, List<TileCall> calls) {
    List<String> names = List.of(input.columns());
    List<String> all =
        Stream.concat(names.stream(), calls.stream().map(TileCall::as))
            .map(name -> isCaseSensitive(input) ? name : name.toLowerCase(Locale.ROOT))
            .toList();
    for (String name : all) {
      if (all.indexOf(name) != all.lastIndexOf(name)) {
        throw new InvalidStencilException(
            "two columns have the name \"%s\"; rename one".formatted(name));
      }
    }
    for (String name : position) {
      DataType type = field(input, name).dataType();
      if (!(type instanceof IntegralType)) {
        throw new InvalidStencilException(
            "column \"%s\" is %s; the numbers of tiles are integers: cast it"
                .formatted(name, type.simpleString()));
      }
    }
    for (String name : partitionBy) {
      DataType type = field(input, name).dataType();
      boolean plain = type instanceof AtomicType && !(type instanceof FractionalType);
      if (!(plain || type instanceof DecimalType) || !UnsafeRowUtils.isBinaryStable(type)) {
        throw new InvalidStencilException(
            "cannot partition by column \"%s\" of type %s, whose equal values may have other bytes; cast it to an integer or a string"
                .formatted(name, type.simpleString()));
      }
    }
  }

  private static boolean isCaseSensitive(Dataset<Row> input) {
    return Boolean.parseBoolean(input.sparkSession().conf().get("spark.sql.caseSensitive"));
  }

  private static StructField field(Dataset<Row> input, String name) {
    return Stream.of(input.schema().fields())
        .filter(
            field ->
                isCaseSensitive(input)
                    ? field.name().equals(name)
                    : field.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidStencilException(
                    "column \"%s\" is not there; there are %s"
                        .formatted(name, String.join(", ", input.columns()))));
  }

  private List<Stage> stages(Dataset<Row> input, List<TileCall> calls) {
    List<Stage> stages = new ArrayList<>();
    Dataset<Row> known = input;
    for (TileCall call : calls) {
      ProgramExpression program = program(known, call);
      known = known.withColumn(call.as(), lit(null).cast(program.dataType()));
      Attribute tile = tileOf(program, call);
      if (TileArrays.cells(tile.dataType()) == null) {
        throw new InvalidStencilException(
            "column \"%s\" is %s; tiles are arrays of arrays of tinyint, smallint, int, bigint, float or double: cast it"
                .formatted(tile.name(), tile.dataType().simpleString()));
      }
      ProgramOperation operation = program.operation();
      Expression cells = cellsOf(program);
      Stage stage = new Stage(cells, TileReach.of(operation), List.of(call), List.of(operation));
      int last = stages.size() - 1;
      if (last >= 0 && stages.get(last).agrees(stage)) {
        stages.set(last, stages.get(last).and(stage));
      } else {
        stages.add(stage);
      }
    }
    return stages;
  }

  /** Returns the function that a call is all of. */
  private static ProgramExpression program(Dataset<Row> input, TileCall call) {
    Dataset<Row> selected = input.select(expr(call.call()).as("result"));
    if (selected instanceof org.apache.spark.sql.classic.Dataset<Row> classic
        && classic.queryExecution().analyzed() instanceof Project project) {
      NamedExpression named = ScalaInterop.list(project.projectList()).get(0);
      if (named instanceof Alias alias && alias.child() instanceof ProgramExpression program) {
        return program;
      }
    }
    throw new InvalidStencilException(
        "\"%s\" is no call of a function of images, such as stencil2d_mean(heights, 3); compute the rest in a select around it"
            .formatted(call.call()));
  }

  private static Expression cellsOf(ProgramExpression program) {
    return ScalaInterop.list(program.children()).get(0);
  }

  private static Attribute tileOf(ProgramExpression program, TileCall call) {
    Expression array = cellsOf(program);
    while (array instanceof Cast cast) {
      array = cast.child();
    }
    if (array instanceof Attribute attribute) {
      return attribute;
    }
    throw new InvalidStencilException(
        "\"%s\" is not over a column of tiles; name the column, and compute it in a select before"
            .formatted(call.call()));
  }

  private Dataset<Row> computed(Dataset<Row> input, Stage stage) {
    Dataset<Row> keyed = input;
    for (int i = 0; i < partitionBy.size(); i++) {
      keyed = keyed.withColumn(KEY + i, quoted(partitionBy.get(i)));
    }
    keyed =
        keyed
            .withColumn(ROW, quoted(position.get(0)).cast("bigint"))
            .withColumn(COLUMN, quoted(position.get(1)).cast("bigint"));
    Expression cells = cellsOf(program(input, stage.calls().get(0)));
    if (!(cells instanceof Attribute)) {
      keyed = keyed.withColumn(CELLS, ExpressionUtils.column(cells));
    }
    LogicalPlan plan =
        ((org.apache.spark.sql.classic.Dataset<Row>) keyed).queryExecution().analyzed();
    List<Attribute> all = ScalaInterop.list(plan.output());
    List<Attribute> inputs = new ArrayList<>(all.subList(input.columns().length, all.size()));
    if (cells instanceof Attribute) {
      inputs.add(all.get(ScalaInterop.ordinal(cells, plan.output())));
    }
    List<Attribute> results = new ArrayList<>();
    for (TileCall call : stage.calls()) {
      results.add(Expressions.column(call.as(), resultType(cells), true));
    }
    SparkSession session = (SparkSession) keyed.sparkSession();
    DatasetPlans.register(session, strategy());
    Dataset<Row> made =
        org.apache.spark.sql.classic.Dataset.ofRows(
            session,
            new TileNode(
                ScalaInterop.seq(inputs),
                ScalaInterop.seq(results),
                stage.operations(),
                stage.reach(),
                position,
                plan));
    List<Column> columns = new ArrayList<>();
    for (String name : input.columns()) {
      columns.add(quoted(name).as(name));
    }
    for (TileCall call : stage.calls()) {
      columns.add(quoted(call.as()).as(call.as()));
    }
    return made.select(columns.toArray(new Column[0]));
  }

  /** Returns the type of results: cells are null that depend on tiles that are not there. */
  private static DataType resultType(Expression cells) {
    return DataTypes.createArrayType(
        DataTypes.createArrayType(TileArrays.cells(cells.dataType()), true), false);
  }

  private static Column quoted(String name) {
    return col("`" + name.replace("`", "``") + "`");
  }
}
