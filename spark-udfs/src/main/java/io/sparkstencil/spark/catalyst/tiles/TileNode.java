/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.UnaryPlan;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.Seq;

/** The logical plan of tiles that are put together with their surroundings. */
public final class TileNode extends UnaryPlan {
  private final Seq<Attribute> pieces;
  private final Seq<Attribute> tiles;
  private final DataType cells;
  private final List<String> names;

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
    super(child);
    this.pieces = pieces;
    this.tiles = tiles;
    this.cells = cells;
    this.names = names;
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
  public List<Object> elements() {
    return List.of(pieces, tiles, cells, names, child());
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
              new TileExec(
                  node.pieces, node.tiles, node.cells, node.names, planLater(node.child())))
          : ScalaInterop.seqOf();
    }
  }
}
