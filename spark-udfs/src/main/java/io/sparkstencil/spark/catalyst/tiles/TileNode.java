/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.spark.catalyst.interop.CaseClass;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.UnaryNode;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** The logical plan of tiles that are put together with their surroundings. */
public final class TileNode extends LogicalPlan implements UnaryNode, CaseClass {
  private final Seq<Attribute> pieces;
  private final Seq<Attribute> tiles;
  private final DataType cells;
  private final List<String> names;
  private final LogicalPlan child;

  /**
   * Creates the node from its elements, as Spark does.
   *
   * @param pieces what {@link TileGroups} reads
   * @param tiles what it makes
   * @param cells the type of a cell
   * @param names the columns with the numbers of tiles
   * @param child the pieces
   */
  public TileNode(
      Seq<Attribute> pieces,
      Seq<Attribute> tiles,
      DataType cells,
      List<String> names,
      LogicalPlan child) {
    this.pieces = pieces;
    this.tiles = tiles;
    this.cells = cells;
    this.names = names;
    this.child = child;
  }

  @Override
  public LogicalPlan child() {
    return child;
  }

  @Override
  public Seq<LogicalPlan> children() {
    return ScalaInterop.seqOf(child);
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
  public LogicalPlan withNewChildInternal(LogicalPlan newChild) {
    return new TileNode(pieces, tiles, cells, names, newChild);
  }

  @Override
  public LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> newChildren) {
    return withNewChildInternal(newChildren.apply(0));
  }

  @Override
  public List<Object> elements() {
    return List.of(pieces, tiles, cells, names, child);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TileNode that && elements().equals(that.elements());
  }

  @Override
  public int hashCode() {
    return elements().hashCode();
  }

  @Override
  public String productPrefix() {
    return "StencilTiles";
  }

  /** Plans {@link TileNode} as {@link TileExec}. */
  static final class Strategy extends SparkStrategy {
    @Override
    public Seq<SparkPlan> apply(LogicalPlan plan) {
      return plan instanceof TileNode node
          ? ScalaInterop.seqOf(
              new TileExec(node.pieces, node.tiles, node.cells, node.names, planLater(node.child)))
          : ScalaInterop.seqOf();
    }
  }
}
