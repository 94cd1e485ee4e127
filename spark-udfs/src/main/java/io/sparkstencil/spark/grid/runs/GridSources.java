/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.grid.tasks.BlockCells;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.SerializableWritable;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;

/** First cells of grids: partition i of an RDD has block i. */
public final class GridSources {
  private GridSources() {}

  /** Returns blocks whose fields are each read on their own. */
  public static JavaRDD<BlockCells> of(
      JavaSparkContext spark, GridBlocks blocks, ElementType type, List<FieldCells> fields) {
    List<Integer> numbers = IntStream.range(0, blocks.count()).boxed().toList();
    List<FieldCells> sent = new ArrayList<>(fields);
    return spark
        .parallelize(numbers, blocks.count())
        .map(
            block ->
                new BlockCells(
                    sent.stream().map(field -> field.read(blocks.box(block), type)).toList()));
  }

  /**
   * Returns blocks of which some fields come from rows. The cells are kept on executors, so that
   * they are there when a block is lost.
   *
   * @param persisted gets the RDD that keeps them
   */
  public static JavaRDD<BlockCells> withRows(
      JavaRDD<BlockCells> others,
      GridBlocks blocks,
      ElementType type,
      GridRows rows,
      List<JavaRDD<?>> persisted) {
    List<Integer> fields = rows.fields();
    return kept(
        others.zipPartitions(
            rows.byBlock(blocks),
            (cells, cellRows) -> GridRows.place(cells.next(), cellRows, fields, blocks, type)),
        persisted);
  }

  private static JavaRDD<BlockCells> kept(JavaRDD<BlockCells> cells, List<JavaRDD<?>> persisted) {
    JavaRDD<SerializableWritable<Packed<BlockCells>>> kept =
        Packed.kept(cells, StorageLevel.MEMORY_AND_DISK());
    persisted.add(kept);
    return kept.map(Packed::open);
  }

  /**
   * Returns blocks of which some fields come from boxes. The cells are kept on executors, so that
   * they are there when a block is lost.
   *
   * @param persisted gets the RDD that keeps them
   */
  public static JavaRDD<BlockCells> withBoxes(
      JavaRDD<BlockCells> others,
      GridBlocks blocks,
      ElementType type,
      GridBoxes boxes,
      List<JavaRDD<?>> persisted) {
    Map<Integer, String> fields = boxes.fields();
    return kept(
        others.zipPartitions(
            boxes.byBlock(blocks),
            (cells, parts) -> GridBoxes.place(cells.next(), parts, fields, blocks, type)),
        persisted);
  }
}
