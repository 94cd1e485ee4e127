/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.CellBoxes;
import io.sparkstencil.grid.FieldBox;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.grid.cells.CellPiece;
import io.sparkstencil.spark.grid.cells.FirstCells;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.SerializableWritable;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/** Boxes of cells, cut where blocks end; cells outside of all boxes are 0. */
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

  /** Returns the parts of boxes by {@link ToBlocks#key} of the first cells of pieces, in order. */
  JavaPairRDD<Long, SerializableWritable<Packed<FieldBox>>> sorted(GridBlocks blocks) {
    return boxes
        .flatMapToPair(box -> parts(box, blocks).iterator())
        .repartitionAndSortWithinPartitions(new ToBlocks(blocks.count()));
  }

  private static List<Tuple2<Long, SerializableWritable<Packed<FieldBox>>>> parts(
      FieldBox given, GridBlocks blocks) {
    Box box = given.box();
    requireInside(box, blocks.sizes());
    List<Tuple2<Long, SerializableWritable<Packed<FieldBox>>>> parts = new ArrayList<>();
    for (int block : blocks.blocksOf(box)) {
      Box whole = blocks.box(block);
      Box common = box.intersect(whole).orElseThrow();
      int last = whole.index(common.position(common.cells() - 1));
      int first = 0;
      for (Box piece : whole.pieces(GridSources.PIECE_CELLS)) {
        if (first <= last) { // pieces behind have nothing of it
          long key = ToBlocks.key(block, first);
          piece
              .intersect(common)
              .ifPresent(part -> parts.add(new Tuple2<>(key, Packed.of(given.part(part)))));
        }
        first += piece.cells();
      }
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

  /**
   * Returns the cells of a block, piece by piece.
   *
   * @param parts those of boxes in the block, in the order of pieces
   * @param fields the index and the name of each field that they have
   */
  static Iterator<FirstCells> place(
      Box block,
      Iterator<Tuple2<Long, SerializableWritable<Packed<FieldBox>>>> parts,
      Map<Integer, String> fields,
      ElementType type) {
    Iterator<Box> pieces = block.pieces(GridSources.PIECE_CELLS).iterator();
    return new Iterator<>() {
      private int start;
      private Tuple2<Long, SerializableWritable<Packed<FieldBox>>> next = take();

      private Tuple2<Long, SerializableWritable<Packed<FieldBox>>> take() {
        return parts.hasNext() ? parts.next() : null;
      }

      @Override
      public boolean hasNext() {
        return pieces.hasNext();
      }

      @Override
      public FirstCells next() {
        Box piece = pieces.next();
        boolean[] given = new boolean[piece.cells()];
        List<Object> arrays =
            fields.keySet().stream().map(field -> type.newArray(piece.cells())).toList();
        while (next != null && ToBlocks.cell(next._1()) == start) {
          put(Packed.open(next._2()), piece, given, fields.values(), arrays, type);
          next = take();
        }
        start += piece.cells();
        return new CellPiece(piece, List.copyOf(fields.keySet()), arrays);
      }
    };
  }

  private static void put(
      FieldBox part,
      Box piece,
      boolean[] given,
      Collection<String> fields,
      List<Object> arrays,
      ElementType type) {
    Box box = part.box();
    mark(given, piece, box);
    int next = 0;
    for (String field : fields) {
      Object from = converted(part.cells(field), type);
      CellBoxes.copy(from, box, arrays.get(next++), piece, box);
    }
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
