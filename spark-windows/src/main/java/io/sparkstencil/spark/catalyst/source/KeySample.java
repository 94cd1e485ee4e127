/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import java.io.Serializable;
import java.util.List;

/**
 * What a part of a partition has of a series.
 *
 * @param key the values of its keys
 * @param rows its rows
 * @param numbers numbers of some of them, as {@link FirstOrder} has them, evenly taken
 * @param weight the rows that each of these stands for
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KeySample(List<Object> key, long rows, long[] numbers, long weight) implements Serializable {

  /**
   * What a part of a partition has.
   *
   * @param partition the partition
   * @param rows all rows
   * @param longest series with many rows
   */
  record Part(int partition, long rows, List<KeySample> longest) implements Serializable {}
}
