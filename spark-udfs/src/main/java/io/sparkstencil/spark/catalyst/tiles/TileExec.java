/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.spark.catalyst.arrays.ArrayProjectMetrics;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.SessionOptions;
import io.sparkstencil.spark.catalyst.interop.UnaryOperator;
import io.sparkstencil.spark.catalyst.source.StencilRun;
import io.sparkstencil.spark.catalyst.tiles.TileTask.TileProgram;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.metric.SQLMetric;
import org.apache.spark.sql.internal.SQLConf;
import scala.collection.immutable.Seq;

/**
 * Programs over tiles. The input is computed once: {@link TileStage} keeps tiles where they are,
 * and what they need beside them comes by {@link TileShuffle} to their tasks.
 */
public final class TileExec extends UnaryOperator {
  private static final long serialVersionUID = 1L;

  private final Seq<NamedExpression> columns;
  private final Seq<Attribute> inputs;
  private final Seq<Attribute> results;
  private final List<ProgramOperation> operations;
  private final TileReach reach;
  private final List<String> names;
  private final transient Object metricsLock = new Object();
  private transient ArrayProjectMetrics metrics;

  /**
   * Creates the operator from its elements, as Spark does.
   *
   * @param columns what comes out: columns of the child, and results
   * @param inputs what {@link TileInput} reads
   * @param results the columns that are computed
   * @param operations what is computed for each
   * @param reach what tiles need beside them
   * @param names the columns with the numbers of tiles
   * @param child the tiles
   */
  public TileExec(
      Seq<NamedExpression> columns,
      Seq<Attribute> inputs,
      Seq<Attribute> results,
      List<ProgramOperation> operations,
      TileReach reach,
      List<String> names,
      SparkPlan child) {
    super(child);
    this.columns = columns;
    this.inputs = inputs;
    this.results = results;
    this.operations = operations;
    this.reach = reach;
    this.names = names;
  }

  @Override
  public Seq<Attribute> output() {
    return ScalaInterop.seq(
        ScalaInterop.list(columns).stream().map(NamedExpression::toAttribute).toList());
  }

  @Override
  public AttributeSet producedAttributes() {
    return AttributeSet$.MODULE$.apply(ScalaInterop.<Expression>seq(ScalaInterop.list(results)));
  }

  @Override
  public RDD<InternalRow> doExecute() {
    RDD<InternalRow> results = results();
    StencilRun.tell(sparkContext(), ownMetrics().byName());
    return results;
  }

  private RDD<InternalRow> results() {
    JavaRDD<InternalRow> rows = child().execute().toJavaRDD();
    if (rows.getNumPartitions() == 0) {
      return rows.rdd();
    }
    TileInput input = new TileInput(inputs, child().output(), names, reach);
    int buckets =
        reach.buckets(
            Math.min(rows.getNumPartitions(), SQLConf.get().numShufflePartitions()),
            sparkContext().defaultParallelism());
    TileTask task = task(input);
    TileStage stage = TileStage.of(rows, input, buckets);
    return stage
        .tiles()
        .zipPartitions(new TileShuffle(input, buckets).rims(stage), task::run)
        .rdd();
  }

  private TileTask task(TileInput input) {
    List<Expression> made = new ArrayList<>();
    List<TileProgram> programs = new ArrayList<>();
    for (NamedExpression named : ScalaInterop.list(columns)) {
      Expression column = named instanceof Alias alias ? alias.child() : (Expression) named;
      int result = result((Attribute) column);
      if (result >= 0) {
        programs.add(new TileProgram(made.size(), operations.get(result)));
        made.add(new Literal(null, column.dataType()));
      } else {
        made.add((Expression) named);
      }
    }
    return new TileTask(
        input, ScalaInterop.seq(made), programs, SessionOptions.ofSession(), ownMetrics());
  }

  private int result(Attribute column) {
    List<Attribute> all = ScalaInterop.list(results);
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).exprId().equals(column.exprId())) {
        return i;
      }
    }
    return -1;
  }

  private ArrayProjectMetrics ownMetrics() {
    synchronized (metricsLock) {
      if (metrics == null) {
        metrics = ArrayProjectMetrics.create(sparkContext());
      }
      return metrics;
    }
  }

  @Override
  public scala.collection.immutable.Map<String, SQLMetric> metrics() {
    return ScalaInterop.map(ownMetrics().byName());
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new TileExec(columns, inputs, results, operations, reach, names, newChild);
  }

  @Override
  public String nodeName() {
    return "StencilTiles";
  }

  @Override
  public List<Object> elements() {
    return List.of(columns, inputs, results, operations, reach, names, child());
  }
}
