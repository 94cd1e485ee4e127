/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/** The order of rows that tie: that are equal in the order of their series. */
@FunctionalInterface
public interface TieOrder extends Serializable {
  /**
   * Compares two rows; only equal rows are in no order.
   *
   * @param a an unsafe row
   * @param b an unsafe row
   */
  int compareTies(InternalRow a, InternalRow b);

  /** Compares rows by their bytes. */
  static int compareBytes(UnsafeRow a, UnsafeRow b) {
    int sizeBytes = Math.min(a.getSizeInBytes(), b.getSizeInBytes());
    for (int at = 0; at < sizeBytes; at += Long.BYTES) {
      long wordA = Platform.getLong(a.getBaseObject(), a.getBaseOffset() + at);
      long wordB = Platform.getLong(b.getBaseObject(), b.getBaseOffset() + at);
      if (wordA != wordB) {
        return Long.compare(wordA, wordB);
      }
    }
    return Integer.compare(a.getSizeInBytes(), b.getSizeInBytes());
  }
}
