/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.grid.FieldBox;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.grid.tasks.BlockCells;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SerializableWritable;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/** Boxes of cells, cut where blocks end; cells outside of all boxes keep their value. */
public final class GridBoxes {
  private final JavaRDD<FieldBox> boxes;
  private final Map<Integer, String> fields;

  /**
   * Takes boxes of an RDD.
   *
   * @param fields the index and the name of each field that all boxes have
   */
  public GridBoxes(JavaRDD<FieldBox> boxes, Map<Integer, String> fields) {
    this.boxes = boxes;
    this.fields = new TreeMap<>(fields);
  }

  /** Returns the fields that boxes have, by their indices. */
  Map<Integer, String> fields() {
    return fields;
  }

  /** Returns the parts of boxes, those in a block in the partition of its number. */
  JavaRDD<FieldBox> byBlock(GridBlocks blocks) {
    return boxes
        .flatMapToPair(box -> parts(box, blocks).iterator())
        .partitionBy(new ToBlocks(blocks.count()))
        .values()
        .map(Packed::open);
  }

  private static List<Tuple2<Integer, SerializableWritable<Packed<FieldBox>>>> parts(
      FieldBox given, GridBlocks blocks) {
    Box box = given.box();
    requireInside(box, blocks.sizes());
    List<Tuple2<Integer, SerializableWritable<Packed<FieldBox>>>> parts = new ArrayList<>();
    for (int block : blocks.blocksOf(box)) {
      Box common = box.intersect(blocks.box(block)).orElseThrow();
      parts.add(new Tuple2<>(block, Packed.of(given.part(common))));
    }
    return parts;
  }

  private static void requireInside(Box box, List<Long> sizes) {
    boolean inside = box.dimensions() == sizes.size();
    for (int axis = 0; inside && axis < sizes.size(); axis++) {
      inside = box.start(axis) >= 0 && box.end(axis) <= sizes.get(axis);
    }
    if (!inside) {
      throw new BadDataException(
          "a box at %s with the sizes %s is outside the grid of %s cells; use boxes inside of it"
              .formatted(box.origin(), box.extent().sizes(), sizes));
    }
  }

  /** Puts parts of boxes into a block. */
  static Iterator<BlockCells> place(
      BlockCells cells,
      Iterator<FieldBox> parts,
      Map<Integer, String> fields,
      GridBlocks blocks,
      ElementType type) {
    List<Object> arrays = cells.fields();
    boolean[] given = null;
    Box block = null;
    while (parts.hasNext()) {
      FieldBox part = parts.next();
      Box box = part.box();
      if (block == null) {
        block = blocks.box(blocks.blockOf(box.origin()));
        given = new boolean[block.cells()];
      }
      mark(given, block, box);
      for (Map.Entry<Integer, String> field : fields.entrySet()) {
        Object from = converted(part.cells(field.getValue()), type);
        CellBoxes.copy(from, box, arrays.get(field.getKey()), block, box);
      }
    }
    return Collections.singletonList(new BlockCells(arrays)).iterator();
  }

  /** Marks the cells of a box as given. */
  private static void mark(boolean[] given, Box block, Box box) {
    boolean[] marks = new boolean[box.cells()];
    CellBoxes.copy(given, block, marks, box, box);
    for (boolean mark : marks) {
      if (mark) {
        throw new BadDataException(
            "a cell of a box at %s with the sizes %s is in another box, too; use boxes that do not overlap"
                .formatted(box.origin(), box.extent().sizes()));
      }
    }
    Arrays.fill(marks, true);
    CellBoxes.copy(marks, box, given, block, box);
  }

  private static Object converted(Object cells, ElementType type) {
    if (type == ElementType.F32 && cells instanceof double[] doubles) {
      float[] floats = new float[doubles.length];
      for (int i = 0; i < floats.length; i++) {
        floats[i] = (float) doubles[i];
      }
      return floats;
    }
    if (type == ElementType.F64 && cells instanceof float[] floats) {
      double[] doubles = new double[floats.length];
      for (int i = 0; i < doubles.length; i++) {
        doubles[i] = floats[i];
      }
      return doubles;
    }
    return cells;
  }
}
