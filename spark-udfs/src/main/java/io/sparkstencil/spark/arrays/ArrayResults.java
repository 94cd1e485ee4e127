/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.arrays;

import io.sparkstencil.pipeline.ItemResults;
import io.sparkstencil.spark.catalyst.interop.MemoryCells;
import java.util.List;

/**
 * The results of one row: after {@link #begin}, the arrays of an operation in the order in which
 * its input's were read. Of each leaf, {@link #validity} is asked first, if at all.
 */
public final class ArrayResults {
  private final ArrayPlan plan;
  private final List<MemoryCells> targets; // where the results of each operation go
  private ItemResults results;
  private ArrayPlan.Result result;
  private MemoryCells memory;

  ArrayResults(ArrayPlan plan) {
    this.plan = plan;
    this.targets =
        plan.results().stream().map(r -> new MemoryCells(r.operation().spec().type())).toList();
  }

  /** Goes to the results of the next row. */
  ArrayResults of(ItemResults next) {
    results = next;
    return this;
  }

  /** Goes to the first array of operation {@code operation}, counted as planned. */
  public void begin(int operation) {
    result = plan.results().get(operation);
    memory = targets.get(operation);
    results.begin(result.staging());
  }

  /** Returns the length of the next array of the input, or {@link ArrayRow#NULL}. */
  public int nextArray() {
    return ArrayRow.lengthOf(results.next());
  }

  /** Returns the results that a leaf of {@code cells} cells has. */
  public int resultLength(int cells) {
    return result.operation().resultLength(cells);
  }

  /**
   * Returns validity bytes, 1 for a result and 0 for null, or null if no result of this leaf is
   * null. The first result's byte is at {@link #firstResult}; valid until the next call.
   */
  public byte[] validity(int cells) {
    return resultLength(cells) == 0 ? null : results.validity(result.output());
  }

  /** Returns the index of the first result in {@link #validity}. */
  public int firstResult() {
    return result.operation().cutLeft() - results.firstResult();
  }

  /** Copies the results of a leaf of {@code cells} cells to {@code offset} on. */
  public void copyLeaf(int cells, Object target, long offset) {
    int count = resultLength(cells);
    if (count > 0) {
      memory.set(target, offset, count);
      results.copy(result.output(), result.operation().cutLeft(), count, memory);
    }
  }
}
