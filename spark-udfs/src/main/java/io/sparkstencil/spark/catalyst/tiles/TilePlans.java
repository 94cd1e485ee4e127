/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import static org.apache.spark.sql.functions.broadcast;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.collect_set;
import static org.apache.spark.sql.functions.explode;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.size;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.try_element_at;
import static org.apache.spark.sql.functions.when;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.spark.catalyst.arrays.ProgramExpression;
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
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.types.AtomicType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.FractionalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.StructField;
import scala.collection.immutable.Seq;

/** Makes queries of functions over tiles. */
public final class TilePlans {
  private static final String ROW = "stencil_tile_row";
  private static final String COLUMN = "stencil_tile_column";
  private static final String REST = "stencil_tile_rest";
  private static final String OWN = "stencil_tile_own";
  private static final String PIECE = "stencil_tile_piece";
  private static final String ROWS = "stencil_tile_rows";
  private static final String COLUMNS = "stencil_tile_columns";
  private static final String WIDE = "stencil_tile_wide";
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

  /** Calls over one column whose tiles need the same beside them, or part of it. */
  private record Stage(String tile, TileReach reach, List<TileCall> calls) {}

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
        Stream.concat(names.stream(), calls.stream().map(TileCall::as)).map(this::folded).toList();
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

  private String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static StructField field(Dataset<Row> input, String name) {
    return Stream.of(input.schema().fields())
        .filter(field -> field.name().equalsIgnoreCase(name))
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
      Stage stage = new Stage(tile.name(), TileReach.of(operation), List.of(call));
      int last = stages.size() - 1;
      if (last >= 0
          && stages.get(last).tile().equals(stage.tile())
          && stages.get(last).reach().agrees(stage.reach())) {
        Stage before = stages.get(last);
        List<TileCall> both = Stream.concat(before.calls().stream(), Stream.of(call)).toList();
        stages.set(last, new Stage(stage.tile(), before.reach().or(stage.reach()), both));
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

  private static Attribute tileOf(ProgramExpression program, TileCall call) {
    Expression array = ScalaInterop.list(program.children()).get(0);
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
    DataType cells = TileArrays.cells(field(input, stage.tile()).dataType());
    Dataset<Row> joined = joined(pieces(input, stage), cells);
    Column tile = quoted(stage.tile());
    Column wide = quoted(WIDE);
    List<Column> results = new ArrayList<>();
    for (String name : input.columns()) {
      boolean isTile = name.equals(stage.tile());
      results.add((isTile ? cropped(tile) : quoted(REST).getField(name)).as(name));
    }
    Dataset<Row> wideTiles = joined.withColumn(stage.tile(), wide.getField("cells"));
    for (TileCall call : stage.calls()) {
      wideTiles = wideTiles.withColumn(call.as(), expr(call.call()));
      results.add(cropped(quoted(call.as())).as(call.as()));
    }
    return wideTiles.select(results.toArray(new Column[0]));
  }

  private static Column cropped(Column wide) {
    Column tile = quoted(WIDE);
    return new TileCrop(
            TileExpression.expressions(
                wide,
                tile.getField("row"),
                tile.getField("column"),
                tile.getField("rows"),
                tile.getField("columns")))
        .column();
  }

  /** Returns a row for each piece, with the tile that it is for. */
  private Dataset<Row> pieces(Dataset<Row> input, Stage stage) {
    Dataset<Row> keyed = input;
    for (int i = 0; i < partitionBy.size(); i++) {
      keyed = keyed.withColumn(KEY + i, quoted(partitionBy.get(i)));
    }
    Column tile = quoted(stage.tile());
    Column row = quoted(position.get(0)).cast("bigint");
    Column column = quoted(position.get(1)).cast("bigint");
    Dataset<Row> axes = axes(keyed, tile, row, column);
    Dataset<Row> placed = withAxes(keyed, axes);
    Column pieces =
        new TilePieces(
                stage.reach(),
                position,
                TileExpression.expressions(row, column, tile, quoted(ROWS), quoted(COLUMNS)))
            .column();
    Column[] rest =
        Stream.of(input.columns())
            .filter(name -> !name.equals(stage.tile()))
            .map(TilePlans::quoted)
            .toArray(Column[]::new);
    List<Column> all = new ArrayList<>(keys());
    all.add(struct(rest).as(REST));
    all.add(explode(pieces).as(PIECE));
    return placed.select(all.toArray(new Column[0]));
  }

  /** Returns the numbers and sizes of the tiles along both axes of each raster. */
  private Dataset<Row> axes(Dataset<Row> tiles, Column tile, Column row, Column column) {
    List<Column> keys = keys();
    Column rows = struct(row.as("number"), size(tile).as("size"));
    Column columns =
        struct(
            column.as("number"), coalesce(size(try_element_at(tile, lit(1))), lit(0)).as("size"));
    return tiles
        .filter(tile.isNotNull().and(row.isNotNull()).and(column.isNotNull()))
        .groupBy(keys.toArray(new Column[0]))
        .agg(collect_set(rows).as(ROWS), collect_set(columns).as(COLUMNS));
  }

  private Dataset<Row> withAxes(Dataset<Row> keyed, Dataset<Row> axes) {
    if (partitionBy.isEmpty()) {
      return keyed.crossJoin(broadcast(axes));
    }
    Dataset<Row> renamed = axes;
    Column same = lit(true);
    for (int i = 0; i < partitionBy.size(); i++) {
      renamed = renamed.withColumnRenamed(KEY + i, KEY + "_of_axes" + i);
      same = same.and(quoted(KEY + i).eqNullSafe(quoted(KEY + "_of_axes" + i)));
    }
    return keyed.join(renamed, same, "left_outer");
  }

  /** Returns a row for each tile, with the tile and its surroundings. */
  private Dataset<Row> joined(Dataset<Row> pieces, DataType cells) {
    Column piece = quoted(PIECE);
    Column own = piece.getField("own");
    List<Column> columns = keys();
    columns.add(piece.getField("row").as(ROW));
    columns.add(piece.getField("column").as(COLUMN));
    columns.add(own.as(OWN));
    columns.add(when(own, quoted(REST)).as(REST));
    columns.add(piece.getField("piece").as(PIECE));
    Dataset<Row> flat = pieces.select(columns.toArray(new Column[0]));
    LogicalPlan plan =
        ((org.apache.spark.sql.classic.Dataset<Row>) flat).queryExecution().analyzed();
    List<Attribute> inputs = ScalaInterop.list(plan.output());
    Seq<Attribute> made = TileGroups.made(inputs.get(inputs.size() - 2), cells, WIDE);
    SparkSession session = (SparkSession) flat.sparkSession();
    DatasetPlans.register(session, strategy());
    return org.apache.spark.sql.classic.Dataset.ofRows(
        session, new TileNode(plan.output(), made, cells, position, plan));
  }

  private List<Column> keys() {
    List<Column> keys = new ArrayList<>();
    for (int i = 0; i < partitionBy.size(); i++) {
      keys.add(quoted(KEY + i));
    }
    return keys;
  }

  private static Column quoted(String name) {
    return col("`" + name.replace("`", "``") + "`");
  }
}
