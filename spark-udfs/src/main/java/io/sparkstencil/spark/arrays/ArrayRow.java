/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import java.util.ArrayList;
import java.util.List;

/**
 * The arrays of one row, as their reader finds them. Of each input, arrays are told from the
 * outside in and from left to right: {@code array<array<float>>} with {@code [[a, b], null]} is
 * {@code array(2), leaf(2), array(NULL)}. Reused for every row.
 */
public final class ArrayRow {
  /** The length of an array that is null. */
  public static final int NULL = -1;

  /** The arrays of one input. */
  static final class Column {
    private final IntList shape = new IntList();
    private final List<ArrayCells> leaves = new ArrayList<>();
    private int used;
    private int staged;
    private long cells;
    private int longest;

    IntList shape() {
      return shape;
    }

    /** Returns the number of leaves, empty ones included. */
    int leaves() {
      return used;
    }

    ArrayCells leaf(int index) {
      return leaves.get(index);
    }

    /** Returns the number of leaves that have cells. */
    int staged() {
      return staged;
    }

    /** Returns the cells of all leaves. */
    long cells() {
      return cells;
    }

    /** Returns the cells of the longest leaf. */
    int longest() {
      return longest;
    }
  }

  private final Column[] columns;

  /** Creates a row of {@code inputs} inputs. */
  ArrayRow(int inputs) {
    columns = new Column[inputs];
    for (int i = 0; i < inputs; i++) {
      columns[i] = new Column();
    }
  }

  Column column(int input) {
    return columns[input];
  }

  void clear() {
    for (Column column : columns) {
      column.shape.clear();
      column.used = 0;
      column.staged = 0;
      column.cells = 0;
      column.longest = 0;
    }
  }

  /** Adds an array of {@code length} arrays, which follow, or a null array of any kind. */
  public void array(int input, int length) {
    columns[input].shape.add(length);
  }

  /** Adds an array of {@code length} numbers and returns what is to be pointed to them. */
  public ArrayCells leaf(int input, int length) {
    Column column = columns[input];
    column.shape.add(length);
    if (column.used == column.leaves.size()) {
      column.leaves.add(new ArrayCells());
    }
    column.staged += length > 0 ? 1 : 0;
    column.cells += length;
    column.longest = Math.max(column.longest, length);
    return column.leaves.get(column.used++);
  }
}
