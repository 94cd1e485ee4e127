/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

/** Owns the memory of rows that others point to, until the last of them lets go. Of one task. */
public interface RowHolder {
  /** Keeps the rows where they are until one more {@link #release}. */
  void retain();

  /** Takes back one {@link #retain}. */
  void release();
}
