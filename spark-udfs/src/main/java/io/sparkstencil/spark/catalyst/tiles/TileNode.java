/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.UnaryPlan;
import io.sparkstencil.spark.programs.ProgramOperation;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;

/** The logical plan of programs over tiles. */
public final class TileNode extends UnaryPlan {
  private final Seq<Attribute> inputs;
  private final Seq<Attribute> results;
  private final List<ProgramOperation> operations;
  private final TileReach reach;
  private final List<String> names;

  /**
   * Creates the node from its elements, as Spark does.
   *
   * @param inputs what {@link TileInput} reads
   * @param results the columns that are added
   * @param operations what is computed for each
   * @param reach what tiles need beside them
   * @param names the columns with the numbers of tiles
   * @param child the tiles
   */
  public TileNode(
      Seq<Attribute> inputs,
      Seq<Attribute> results,
      List<ProgramOperation> operations,
      TileReach reach,
      List<String> names,
      LogicalPlan child) {
    super(child);
    this.inputs = inputs;
    this.results = results;
    this.operations = operations;
    this.reach = reach;
    this.names = names;
  }

  @Override
  public Seq<Attribute> output() {
    return ScalaInterop.concat(child().output(), results);
  }

  @Override
  public AttributeSet producedAttributes() {
    return AttributeSet$.MODULE$.apply(ScalaInterop.<Expression>seq(ScalaInterop.list(results)));
  }

  @Override
  public LogicalPlan withNewChildInternal(LogicalPlan newChild) {
    return new TileNode(inputs, results, operations, reach, names, newChild);
  }

  @Override
  public List<Object> elements() {
    return List.of(inputs, results, operations, reach, names, child());
  }

  @Override
  public String productPrefix() {
    return "StencilTiles";
  }

  private SparkPlan planned(Seq<NamedExpression> columns, SparkPlan tiles) {
    return new TileExec(columns, inputs, results, operations, reach, names, tiles);
  }

  /** Plans {@link TileNode} as {@link TileExec}, with the columns that are chosen above it. */
  static final class Strategy extends SparkStrategy {
    @Override
    public Seq<SparkPlan> apply(LogicalPlan plan) {
      if (plan instanceof Project project
          && project.child() instanceof TileNode node
          && ScalaInterop.list(project.projectList()).stream().allMatch(Strategy::isColumn)) {
        return ScalaInterop.seqOf(node.planned(project.projectList(), planLater(node.child())));
      }
      return plan instanceof TileNode node
          ? ScalaInterop.seqOf(
              node.planned(
                  ScalaInterop.<NamedExpression>seq(ScalaInterop.list(node.output())),
                  planLater(node.child())))
          : ScalaInterop.seqOf();
    }

    private static boolean isColumn(NamedExpression named) {
      return named instanceof Attribute
          || (named instanceof Alias alias && alias.child() instanceof Attribute);
    }
  }
}
