/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.spark.catalyst.interop.Expressions;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.UnaryOperator;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.ClusteredDistribution;
import org.apache.spark.sql.catalyst.plans.physical.Distribution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.DataType;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * Puts tiles together with their surroundings. Spark shuffles the pieces to the tasks of their
 * tiles and sorts them, so that a task holds one tile at a time.
 */
public final class TileExec extends UnaryOperator {
  private static final long serialVersionUID = 1L;

  private final Seq<Attribute> pieces;
  private final Seq<Attribute> tiles;
  private final DataType cells;
  private final List<String> names;

  /** Creates the operator; its parameters are those of {@link TileNode}. */
  public TileExec(
      Seq<Attribute> pieces,
      Seq<Attribute> tiles,
      DataType cells,
      List<String> names,
      SparkPlan child) {
    super(child);
    this.pieces = pieces;
    this.tiles = tiles;
    this.cells = cells;
    this.names = names;
  }

  private List<Attribute> keys() {
    List<Attribute> all = ScalaInterop.list(pieces);
    return all.subList(0, all.size() - TileGroups.VALUES);
  }

  @Override
  public Seq<Attribute> output() {
    return tiles;
  }

  @Override
  public AttributeSet producedAttributes() {
    return AttributeSet$.MODULE$.apply(ScalaInterop.<Expression>seq(ScalaInterop.list(tiles)));
  }

  @Override
  public Seq<Distribution> requiredChildDistribution() {
    Seq<Expression> clustered = ScalaInterop.<Expression>seq(keys());
    return ScalaInterop.<Distribution>seqOf(
        new ClusteredDistribution(clustered, true, Option.empty()));
  }

  @Override
  public Seq<Seq<SortOrder>> requiredChildOrdering() {
    return ScalaInterop.<Seq<SortOrder>>seqOf(
        ScalaInterop.seq(keys().stream().map(Expressions::ascending).toList()));
  }

  @Override
  public RDD<InternalRow> doExecute() {
    TileGroups groups = new TileGroups(pieces, child().output(), cells, names);
    return child()
        .execute()
        .mapPartitionsWithEvaluator(
            () -> (partition, inputs) -> groups.tiles(inputs.apply(0)),
            ScalaInterop.tag(InternalRow.class));
  }

  @Override
  public SparkPlan withNewChildInternal(SparkPlan newChild) {
    return new TileExec(pieces, tiles, cells, names, newChild);
  }

  @Override
  public String nodeName() {
    return "StencilTiles";
  }

  @Override
  public List<Object> elements() {
    return List.of(pieces, tiles, cells, names, child());
  }
}
