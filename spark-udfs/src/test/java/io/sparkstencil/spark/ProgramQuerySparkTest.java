/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.Marks;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.reference.ProgramReference;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs over columns: the bits of the reference on the whole series, however it is cut. */
@WithSpark
final class ProgramQuerySparkTest {
  private static final String HEAT = "u + 0.24*(u[-1] - 2*u + u[1])";
  private static final String UPWIND = "u - c*(u - u[-3])";
  private static final String STAGED = "p' = u[1] - u[-2]; u' = u + 0.1*(p'[1] - p'[-1])";
  private static final List<String> BOUNDARIES =
      List.of(
          "reflect",
          "mirror",
          "nearest",
          "wrap",
          "constant:-3.25",
          "x.low=constant:2, x.high=nearest");
  private static final StructType SCHEMA =
      new StructType()
          .add("k", DataTypes.IntegerType)
          .add("t", DataTypes.IntegerType)
          .add("v", DataTypes.DoubleType)
          .add("f", DataTypes.FloatType)
          .add("i", DataTypes.LongType);

  private static SparkSession spark;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  private static List<ColumnProgram> operations() {
    List<ColumnProgram> operations = new ArrayList<>();
    for (String boundary : BOUNDARIES) {
      operations.add(operation("u[-1] - 2*u + u[1]", boundary, 1));
      operations.add(operation(HEAT, boundary, 37));
      operations.add(operation(UPWIND, boundary, 5));
      operations.add(operation(STAGED, boundary, 4));
    }
    return operations;
  }

  private static ColumnProgram operation(String text, String boundary, int steps) {
    StencilProgram program = BoundaryText.apply(ProgramText.parse(text, 1), boundary);
    Map<String, Double> parameters = text.equals(UPWIND) ? Map.of("c", 0.7) : Map.of();
    return new ColumnProgram(program.withAccuracy(Accuracy.FMA), steps, parameters);
  }

  /** Returns a series with values that are not numbers and, if asked for, nulls. */
  private static List<Row> series(int key, int length, boolean nulls) {
    Random random = new Random(31L * key + length);
    List<Row> rows = new ArrayList<>();
    for (int t = 0; t < length; t++) {
      int dice = random.nextInt(40);
      Double v = dice == 0 ? (Double) Double.NaN : dice == 1 ? -0.0 : random.nextGaussian();
      Float f = (float) random.nextGaussian();
      boolean none = nulls && dice == 2;
      rows.add(
          RowFactory.create(
              key, t, none ? null : v, none ? null : f, none ? null : (long) (1000 * f)));
    }
    return rows;
  }

  /** Returns the results for one series, by the definition. */
  private static List<Object> expected(List<Row> series, String column, ColumnProgram o) {
    ElementType type = column.equals("f") ? ElementType.F32 : ElementType.F64;
    Object cells = type.newArray(series.size());
    float[] missing = new float[series.size()];
    for (int i = 0; i < series.size(); i++) {
      Number value = series.get(i).getAs(SCHEMA.fieldIndex(column));
      missing[i] = value == null ? 1 : 0;
      if (value != null && type == ElementType.F32) {
        Array.setFloat(cells, i, value.floatValue());
      } else if (value != null) {
        Array.setDouble(cells, i, value.doubleValue());
      }
    }
    StencilProgram program = o.program();
    run(program, type, cells, ParameterValues.of(program, o.parameters()), o.steps());
    run(Marks.of(program), ElementType.F32, missing, ParameterValues.NONE, o.steps());
    List<Object> results = new ArrayList<>();
    for (int i = 0; i < missing.length; i++) {
      results.add(missing[i] > 0 ? null : Array.get(cells, i));
    }
    return results;
  }

  private static void run(
      StencilProgram program, ElementType type, Object u, ParameterValues values, int steps) {
    List<Object> arrays = new ArrayList<>();
    for (String field : program.fields()) {
      arrays.add(field.equals("u") ? u : type.newArray(Array.getLength(u)));
    }
    Extent extent = new Extent(List.of(Array.getLength(u)));
    ProgramReference.run(program, new ProgramArrays(type, extent, arrays), values, steps);
  }

  private static Dataset<Row> shuffled(List<Row> rows) {
    List<Row> mixed = new ArrayList<>(rows);
    Collections.shuffle(mixed, new Random(1));
    return spark.createDataFrame(mixed, SCHEMA);
  }

  private static StencilQuery all(StencilQuery query, List<String> columns) {
    return all(query, columns, operations());
  }

  private static StencilQuery all(
      StencilQuery query, List<String> columns, List<ColumnProgram> operations) {
    StencilQuery all = query;
    for (String column : columns) {
      for (int i = 0; i < operations.size(); i++) {
        all = all.apply(column, operations.get(i), column + i);
      }
    }
    return all;
  }

  private static void check(List<Row> results, List<List<Row>> series, List<String> columns) {
    check(results, series, columns, operations());
  }

  private static void check(
      List<Row> results,
      List<List<Row>> series,
      List<String> columns,
      List<ColumnProgram> operations) {
    int at = SCHEMA.size();
    for (String column : columns) {
      for (ColumnProgram operation : operations) {
        List<Object> expected = new ArrayList<>();
        series.forEach(each -> expected.addAll(expected(each, column, operation)));
        List<Object> actual = new ArrayList<>();
        for (Row row : results) {
          actual.add(row.get(at));
        }
        if (!actual.equals(expected)) { // boxed numbers are equal if their bits are
          assertThat(actual)
              .as("%s of %s, %d rows", operation.program(), column, expected.size())
              .containsExactlyElementsOf(expected);
        }
        at++;
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, true", "2, false", "2, true", "7, false", "7, true", "200, false"})
  void oneSeriesOverAnyNumberOfPartitions(int partitions, boolean adaptive) {
    spark.conf().set("spark.sql.shuffle.partitions", partitions);
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    for (int length : partitions == 200 ? new int[] {61} : new int[] {1, 5, 310}) {
      List<Row> series = series(0, length, length == 310);
      List<String> columns = length == 310 ? List.of("v", "f", "i") : List.of("v");

      Dataset<Row> results = all(Stencils.over(shuffled(series)).orderBy("t"), columns).toDataset();

      check(results.collectAsList(), List.of(series), columns);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 40})
  void orderedRowsInAnyNumberOfPartitions(int partitions) {
    List<Row> series = series(3, 33, true);

    StencilQuery query =
        all(Stencils.over(inOrder(series, partitions)).orderBy("t").ordered(), List.of("v"));

    check(query.toDataset().orderBy("t").collectAsList(), List.of(series), List.of("v"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7})
  void orderedSeriesOfKeys(int partitions) {
    List<List<Row>> series = List.of(series(1, 20, true), series(2, 1, false), series(5, 30, true));
    List<Row> rows = series.stream().flatMap(List::stream).toList();
    List<ColumnProgram> operations =
        operations().stream()
            .filter(o -> !BoundaryText.format(o.program()).equals("wrap"))
            .toList();

    StencilQuery query = Stencils.over(inOrder(rows, partitions)).partitionBy("k").orderBy("t");
    StencilQuery ordered = all(query.ordered(), List.of("v"), operations);

    check(ordered.toDataset().orderBy("k", "t").collectAsList(), series, List.of("v"), operations);
  }

  private static Dataset<Row> inOrder(List<Row> rows, int partitions) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    return spark.createDataFrame(context.parallelize(rows, partitions), SCHEMA);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void seriesOfKeysAreComputedOneByOne(boolean adaptive) {
    spark.conf().set("spark.sql.shuffle.partitions", 3);
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    List<List<Row>> series = new ArrayList<>();
    List<Row> rows = new ArrayList<>();
    for (int key = 0; key < 9; key++) {
      series.add(series(key, new int[] {40, 1, 40, 7}[key % 4], key % 2 == 0));
      rows.addAll(series.get(key));
    }

    StencilQuery query =
        all(Stencils.over(shuffled(rows)).partitionBy("k").orderBy("t"), List.of("v", "f"));

    check(query.toDataset().orderBy("k", "t").collectAsList(), series, List.of("v", "f"));
  }

  /** A task cuts a long series into chunks; with a halo, and beside stencils of other frames. */
  @Test
  void longSeriesAreCutWithinTasks() {
    spark.conf().set("spark.sql.shuffle.partitions", 2);
    List<Row> series = series(0, 100_000, false);
    ColumnProgram heat = operation(HEAT, "x.low=constant:2, x.high=nearest", 300);
    ColumnProgram staged = operation(STAGED, "wrap", 2);

    List<Row> results =
        Stencils.over(shuffled(series))
            .orderBy("t")
            .apply("v", heat, "heat")
            .apply("v", Stencil.max(Frame.radius(500)), "max")
            .apply("f", staged, "staged")
            .toDataset()
            .collectAsList();

    List<Object> expected = expectedOnTheCpu(series, heat);
    List<Object> float32 = expected(series, "f", staged);
    for (int i = 0; i < series.size(); i++) {
      if (!results.get(i).get(5).equals(expected.get(i))
          || !results.get(i).get(7).equals(float32.get(i))) {
        assertThat(List.of(results.get(i).get(5), results.get(i).get(7)))
            .as("row %d", i)
            .containsExactly(expected.get(i), float32.get(i));
      }
    }
  }

  /** The reference would take long over so many cells and steps. */
  private static List<Object> expectedOnTheCpu(List<Row> series, ColumnProgram operation) {
    double[] cells = series.stream().mapToDouble(row -> row.<Double>getAs(2)).toArray();
    new ProgramOperation(operation.program(), operation.steps(), operation.parameters())
        .localRunner(StencilConf.DEFAULTS)
        .run(ElementType.F64, Extent.of(cells.length), 1, List.of(cells), List.of());
    List<Object> results = new ArrayList<>();
    for (double cell : cells) {
      results.add(cell);
    }
    return results;
  }

  @Test
  void showsTheProgramInThePlan() {
    StencilQuery query =
        Stencils.over(shuffled(series(0, 5, false)))
            .orderBy("t")
            .apply("v", operation(HEAT, "wrap", 7), "r");

    assertThat(query.toDataset().queryExecution().executedPlan().toString())
        .contains("stencil_expr(v#", "u' = u[0] + 0.24 *", "7 steps, wrap, fma) AS r#");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "reference"})
  void runsOnTheEngineThatIsNamed(String engine) {
    spark.conf().set("spark.sql.shuffle.partitions", 2);
    List<Row> series = series(0, 90, true);
    StencilQuery query = Stencils.over(shuffled(series)).orderBy("t").engine(engine);
    StencilReport report = StencilReport.listen(spark);
    try (report) {
      check(all(query, List.of("v")).toDataset().collectAsList(), List.of(series), List.of("v"));
    }
    assertThat(report.engine()).isEqualTo(engine);
    assertThat(report.engineChoices()).containsOnlyKeys("requested");
    assertThat(report.fallbacks()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "u[-1,0] + u[1,0]|reflect|1|rows have one order; write distances along one axis",
        "u[-1] + x|reflect|1|reads the position x, which is known in arrays only",
        "u[-2] + u[2]|reflect|524289|need 1048578 cells beside each part of a series",
        "p' = u[-1]; u' = p'[1]|p=wrap|1|wraps some of the fields [p, u] only",
        "u[-1] + c|reflect|1|parameter c has no value",
        "u' = u + v[1]|reflect|1|there is one array; read one field"
      })
  void refusesWhatRowsCannotCompute(String text, String boundary, int steps, String message) {
    StencilQuery query = Stencils.over(shuffled(series(0, 5, false))).orderBy("t");
    assertThatThrownBy(
            () -> {
              StencilProgram program = BoundaryText.apply(ProgramText.parse(text), boundary);
              query.apply("v", new ColumnProgram(program, steps, Map.of()), "r");
            })
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining(message);
  }
}
