/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.Iterator;

/** All rows of one series in order, as often as they are asked for. */
public interface WholeSeries {
  /** Returns the number of rows. */
  long size();

  /** Returns the rows from the first on, each there until the next is asked for. */
  Iterator<UnsafeRow> rows();
}
