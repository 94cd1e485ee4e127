/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;

/** Copies boxes of cells between arrays of float or double, row by row. */
public final class CellBoxes {
  private CellBoxes() {}

  /**
   * Copies the cells of a box from one array to another.
   *
   * @param fromBox the box whose cells {@code from} has
   * @param toBox the box whose cells {@code to} has
   * @param box what is copied, inside of both
   */
  public static void copy(Object from, Box fromBox, Object to, Box toBox, Box box) {
    int length = box.size(box.dimensions() - 1);
    int[] ends = rows(toBox, box);
    int[] next = {0};
    forEachRow(fromBox, box, at -> System.arraycopy(from, at, to, ends[next[0]++], length));
  }

  /** Returns an empty buffer in the byte order of packed cells. */
  public static ByteBuffer buffer(int bytes) {
    return ordered(ByteBuffer.allocate(bytes));
  }

  /** Returns the same bytes, in the byte order of packed cells. */
  static ByteBuffer ordered(ByteBuffer bytes) {
    return bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Appends the cells of a box to a buffer. */
  public static void pack(Object from, Box fromBox, Box box, ByteBuffer packed) {
    int length = box.size(box.dimensions() - 1);
    forEachRow(
        fromBox,
        box,
        at -> {
          if (from instanceof float[] floats) {
            packed.asFloatBuffer().put(floats, at, length);
            packed.position(packed.position() + length * Float.BYTES);
          } else {
            packed.asDoubleBuffer().put((double[]) from, at, length);
            packed.position(packed.position() + length * Double.BYTES);
          }
        });
  }

  /** Takes the next cells of a buffer for those of a box. */
  public static void unpack(ByteBuffer packed, Object to, Box toBox, Box box) {
    int length = box.size(box.dimensions() - 1);
    forEachRow(
        toBox,
        box,
        at -> {
          if (to instanceof float[] floats) {
            packed.asFloatBuffer().get(floats, at, length);
            packed.position(packed.position() + length * Float.BYTES);
          } else {
            packed.asDoubleBuffer().get((double[]) to, at, length);
            packed.position(packed.position() + length * Double.BYTES);
          }
        });
  }

  /** Returns where the rows of a box begin in an array of a larger box. */
  private static int[] rows(Box array, Box box) {
    int[] rows = new int[box.cells() / box.size(box.dimensions() - 1)];
    int[] next = {0};
    forEachRow(array, box, at -> rows[next[0]++] = at);
    return rows;
  }

  /** Tells where the rows of a box begin in an array of a larger box, one after the other. */
  static void forEachRow(Box array, Box box, IntConsumer row) {
    List<Long> position = new ArrayList<>(box.origin());
    int last = box.dimensions() - 1;
    while (true) {
      row.accept(array.index(position));
      int axis = last - 1;
      while (axis >= 0 && position.get(axis) + 1 == box.end(axis)) {
        position.set(axis, box.start(axis));
        axis--;
      }
      if (axis < 0) {
        return;
      }
      position.set(axis, position.get(axis) + 1);
    }
  }
}
