/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.catalyst.interop.ReadAheadRdd;
import java.util.function.ToIntFunction;
import org.apache.spark.rdd.InputFileBlockHolder;
import scala.collection.Iterator;

/**
 * What a task reads of an input that was declared ordered: its own partition and the first rows
 * after it, as rows or as batches of rows.
 *
 * <p>No halo is exchanged. With a reach of R rows, the task of a partition returns results for the
 * rows from its own row R on (the first task from its first row on) up to row R - 1 of what
 * follows, so that all cells that it needs lie in its own partition and in the next R + right rows,
 * which it reads from the following partitions. The rows before are there for the cells alone.
 *
 * @param <T> a row, or a batch of rows
 */
public final class ReadAhead<T> {
  private final ReadAheadRdd.Partitions<T> partitions;
  private final ToIntFunction<T> rowsOf;
  private final int reach;
  private final int right;
  private Iterator<T> parts;
  private int partition;
  private long inPartition; // rows of it that have been read
  private long read; // rows of all partitions that have been read
  private long own = -1; // rows of the own partition, once they have been read

  /**
   * Begins with the task's own partition.
   *
   * @param rowsOf the number of rows of a part
   * @param reach rows by which results are shifted
   * @param right rows that the widest frame needs after a row
   */
  public ReadAhead(
      ReadAheadRdd.Partitions<T> partitions, ToIntFunction<T> rowsOf, int reach, int right) {
    this.partitions = partitions;
    this.rowsOf = rowsOf;
    this.reach = reach;
    this.right = right;
    this.partition = partitions.index();
    this.parts = partitions.read(partition);
  }

  /** Returns the next row or batch, or null if no more rows are wanted. */
  public T next() {
    if (read >= end()) {
      return null;
    }
    while (!parts.hasNext()) {
      if (own < 0) {
        own = read;
        if (own == 0 && partition > 0) {
          return null; // nothing to return
        }
      }
      if (++partition == partitions.count()) {
        return null;
      }
      parts = partitions.read(partition);
      inPartition = 0;
    }
    T part = parts.next();
    int rows = rowsOf.applyAsInt(part);
    inPartition += rows;
    read += rows;
    return part;
  }

  private long end() {
    return own < 0 ? Long.MAX_VALUE : own + reach + right;
  }

  /** Returns how many of the rows of the last batch, of which it has {@code rows}, are wanted. */
  public int wanted(int rows) {
    return rows - (int) Math.max(0, read - end());
  }

  /** Returns the number, among the rows that are read, of the first that the result has. */
  public long firstEmitted() {
    return partitions.index() == 0 ? 0 : reach;
  }

  /** Returns the number of the row after the last that the result has, as far as it is known. */
  public long endOfEmitted() {
    return own < 0 ? Long.MAX_VALUE : own + reach;
  }

  /** Returns the rows read so far that belong to other partitions. */
  public long rowsReadAhead() {
    return own < 0 ? 0 : Math.min(read, end()) - own;
  }

  /**
   * Returns the error for a row that comes too late.
   *
   * @param after rows that have been read after it, in the same batch
   * @param here its key
   * @param before the key of the row before it
   */
  public BadDataException outOfOrder(int after, String here, String before) {
    return new BadDataException(
        "the input was declared ordered, but %s has %s after %s; sort it first or leave out the declaration"
            .formatted(position(inPartition - after), here, before));
  }

  /** Returns the file and number of row {@code row} (from 1) of the partition, read again. */
  private String position(long row) {
    // Until the row is reached, count what its partition has of each file on the way.
    String file = "";
    long number = 0;
    Iterator<T> again = partitions.read(partition);
    for (long seen = 0; seen < row && again.hasNext(); ) {
      int rows = rowsOf.applyAsInt(again.next());
      String current = InputFileBlockHolder.getInputFilePath().toString();
      if (!current.equals(file)) {
        file = current;
        number = 0;
      }
      number += Math.min(rows, row - seen);
      seen += rows;
    }
    if (file.isEmpty()) {
      return "row %d of partition %d".formatted(row, partition);
    }
    boolean found = true;
    for (int p = partition - 1; p >= 0 && found; p--) {
      again = partitions.read(p);
      found = false;
      while (again.hasNext()) {
        int rows = rowsOf.applyAsInt(again.next());
        if (InputFileBlockHolder.getInputFilePath().toString().equals(file)) {
          number += rows;
          found = true;
        }
      }
    }
    return "row %d of %s".formatted(number, file);
  }
}
