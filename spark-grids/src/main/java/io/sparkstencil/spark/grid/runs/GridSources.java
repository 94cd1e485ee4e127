/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.grid.cells.FieldCells;
import io.sparkstencil.spark.grid.cells.FieldPieces;
import io.sparkstencil.spark.grid.cells.FirstCells;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.SerializableWritable;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;

/** First cells of grids: partition i of an RDD has those of block i. */
public final class GridSources {
  /** The cells of rows and boxes that are put together at once. */
  static final int PIECE_CELLS = 1 << 16;

  private GridSources() {}

  /**
   * Returns blocks whose fields are each read on their own, when they are loaded.
   *
   * @param fields where the cells of each field come from; those of {@link FieldCells#ELSEWHERE}
   *     are left out
   */
  public static JavaRDD<FirstCells> of(
      JavaSparkContext spark, GridBlocks blocks, List<FieldCells> fields) {
    List<FirstCells> pieces = new ArrayList<>();
    for (int field = 0; field < fields.size(); field++) {
      if (fields.get(field) != FieldCells.ELSEWHERE) {
        pieces.add(new FieldPieces(field, fields.get(field)));
      }
    }
    List<Integer> numbers = IntStream.range(0, blocks.count()).boxed().toList();
    return spark.parallelize(numbers, blocks.count()).flatMap(block -> pieces.iterator());
  }

  /**
   * Returns blocks of which some fields come from rows. The cells are kept on executors, so that
   * they are there when a block is lost.
   *
   * @param others blocks with all other fields
   * @param persisted gets the RDD that keeps them
   */
  public static JavaRDD<FirstCells> withRows(
      JavaRDD<FirstCells> others,
      GridBlocks blocks,
      ElementType type,
      GridRows rows,
      List<JavaRDD<?>> persisted) {
    List<Integer> fields = rows.fields();
    JavaRDD<FirstCells> placed =
        rows.sorted(blocks)
            .mapPartitionsWithIndex(
                (block, ofBlock) -> GridRows.place(blocks.box(block), ofBlock, fields, type), true);
    return with(others, kept(placed, persisted));
  }

  /** Returns what two RDDs have of each block. */
  private static JavaRDD<FirstCells> with(JavaRDD<FirstCells> some, JavaRDD<FirstCells> others) {
    return some.zipPartitions(others, GridSources::oneAfterTheOther);
  }

  /** Returns elements one by one, as they are asked for. */
  private static <T> Iterator<T> oneAfterTheOther(Iterator<T> first, Iterator<T> second) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return first.hasNext() || second.hasNext();
      }

      @Override
      public T next() {
        return first.hasNext() ? first.next() : second.next();
      }
    };
  }

  private static JavaRDD<FirstCells> kept(JavaRDD<FirstCells> cells, List<JavaRDD<?>> persisted) {
    JavaRDD<SerializableWritable<Packed<FirstCells>>> kept =
        Packed.kept(cells, StorageLevel.MEMORY_AND_DISK());
    persisted.add(kept);
    return kept.map(Packed::open);
  }

  /**
   * Returns blocks of which some fields come from boxes. The cells are kept on executors, so that
   * they are there when a block is lost.
   *
   * @param others blocks with all other fields
   * @param persisted gets the RDD that keeps them
   */
  public static JavaRDD<FirstCells> withBoxes(
      JavaRDD<FirstCells> others,
      GridBlocks blocks,
      ElementType type,
      GridBoxes boxes,
      List<JavaRDD<?>> persisted) {
    Map<Integer, String> fields = boxes.fields();
    JavaRDD<FirstCells> placed =
        boxes
            .sorted(blocks)
            .mapPartitionsWithIndex(
                (block, parts) -> GridBoxes.place(blocks.box(block), parts, fields, type), true);
    return with(others, kept(placed, persisted));
  }
}
