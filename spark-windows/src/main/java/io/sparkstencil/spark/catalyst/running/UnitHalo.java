/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * What a task reads beside the units whose rows it returns.
 *
 * @param left how many units before its own
 * @param own how many of its own
 * @param skipped how many of the first rows no frame needs
 * @param following how many rows after its own are needed, at most
 * @param keys the keys of rows beside its own that frames by keys need; null if there are no such
 *     frames
 * @param filtered whether other rows are not needed
 * @param before what is aggregated of all rows before those that are read; null if there are none,
 *     or it does not matter
 * @param after what is aggregated of all rows after them
 */
public record UnitHalo(
    int left,
    int own,
    long skipped,
    long following,
    KeyInterval keys,
    boolean filtered,
    UnsafeRow before,
    UnsafeRow after)
    implements Serializable {

  /** Tells whether Spark looks at the frames of rows before the own ones. */
  public boolean looksBack() {
    return keys != null && keys.warms();
  }

  /** Returns what a task reads that reads nothing beside its own units. */
  public static UnitHalo none(int own) {
    return new UnitHalo(0, own, 0, 0, null, false, null, null);
  }
}
