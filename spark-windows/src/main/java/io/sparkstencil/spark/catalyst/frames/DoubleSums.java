/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.frames;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataType;

/**
 * Sums and averages of columns of doubles as Spark's buffers have them, without the generated code
 * that goes from row to row: each is added from the first row to the last, nulls left out.
 *
 * <p>A sum begins with 0.0 and is never -0.0, so that to leave out a null is the same as to add 0.0
 * for it, which Spark does for averages.
 */
public final class DoubleSums {
  /**
   * What one buffer is of.
   *
   * @param column the column of the batches
   * @param average whether the buffer has the number of values as well
   */
  public record Term(int column, boolean average) implements Serializable {}

  private final List<Term> terms;
  private final double[] sums;
  private final long[] counts; // of values that are not null
  private final UnsafeProjection packing;
  private long rows;

  /**
   * Creates sums without rows.
   *
   * @param types the columns of all buffers
   */
  public DoubleSums(List<Term> terms, DataType[] types) {
    this.terms = terms;
    this.sums = new double[terms.size()];
    this.counts = new long[terms.size()];
    this.packing = UnsafeProjection.create(types);
  }

  /**
   * Adds rows.
   *
   * @param batch what {@link PackedDoubles} made of them
   * @param columns how many columns it has
   */
  public void add(byte[] batch, int columns) {
    for (int i = 0; i < sums.length; i++) {
      int column = terms.get(i).column();
      sums[i] = PackedDoubles.add(sums[i], batch, column, columns);
      counts[i] += PackedDoubles.count(batch, column);
    }
    rows += PackedDoubles.rows(batch);
  }

  /** Returns the state of all rows so far. */
  public RunningState state() {
    List<Object> buffers = new ArrayList<>();
    for (int i = 0; i < sums.length; i++) {
      if (terms.get(i).average()) {
        buffers.add(sums[i]);
        buffers.add(counts[i]);
      } else {
        buffers.add(counts[i] == 0 ? null : sums[i]);
      }
    }
    return new RunningState(rows, packing.apply(new GenericInternalRow(buffers.toArray())).copy());
  }
}
