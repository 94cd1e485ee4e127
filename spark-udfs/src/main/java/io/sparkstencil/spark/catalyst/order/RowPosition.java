/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.order;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.catalyst.interop.ReadAheadRdd;
import java.util.function.ToIntFunction;
import org.apache.spark.rdd.InputFileBlockHolder;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/** Says which row of which file breaks a promise, by reading the file again. */
public final class RowPosition {
  private RowPosition() {}

  public static BadDataException outOfOrder(String where, String here, String before) {
    return new BadDataException(
        "the input was declared ordered, but %s has %s after %s; sort it first or leave out the declaration"
            .formatted(where, here, before));
  }

  /** Returns the file and number of row {@code row} (from 1) of a partition of rows. */
  static <T> String ofRows(ReadAheadRdd.Partitions<T> partitions, int partition, long row) {
    return describe(partitions, partition, row, each -> 1);
  }

  /** Returns the file and number of row {@code row} (from 1) of a partition of batches. */
  public static String ofBatches(
      ReadAheadRdd.Partitions<ColumnarBatch> partitions, int partition, long row) {
    return describe(partitions, partition, row, ColumnarBatch::numRows);
  }

  private static <T> String describe(
      ReadAheadRdd.Partitions<T> partitions, int partition, long row, ToIntFunction<T> rowsOf) {
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
