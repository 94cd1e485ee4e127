/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.BaseOrdering;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Numbers the series of a task's rows by their keys, in the order in which they turn up. */
final class SeriesKeys {
  private static final int FIRST_CAPACITY = 64;
  private static final int KEY_OBJECT_BYTES = 128;

  private final RowOrder order;
  private final UnsafeProjection projection; // null where the one key is integral
  private final BaseOrdering ordering;
  private final List<UnsafeRow> rows = new ArrayList<>(); // projected keys, by series
  private final Map<UnsafeRow, Integer> byRow = new HashMap<>();
  private long[] keys = new long[FIRST_CAPACITY]; // integral keys, by series
  private int[] table = new int[2 * FIRST_CAPACITY]; // number of the series + 1, 0 for none
  private int count;
  private int nullSeries = -1;
  private int last = -1;
  private long rowBytes;

  SeriesKeys(RowOrder order) {
    this.order = order;
    this.projection = order.isIntegral() ? null : order.binaryKeyProjection();
    this.ordering = order.isIntegral() ? null : order.ofKeys();
  }

  /** Returns the number of the series of {@code row}, from 0. */
  int of(UnsafeRow row) {
    last = projection == null ? ofIntegral(row) : ofProjected(projection.apply(row));
    return last;
  }

  private int ofIntegral(UnsafeRow row) {
    if (order.isIntegralNull(row)) {
      if (nullSeries < 0) {
        nullSeries = add(0);
      }
      return nullSeries;
    }
    long key = order.integralKey(row);
    if (last >= 0 && last != nullSeries && keys[last] == key) {
      return last;
    }
    int at = slot(key);
    while (table[at] != 0) {
      if (keys[table[at] - 1] == key) {
        return table[at] - 1;
      }
      at = (at + 1) & (table.length - 1);
    }
    int series = add(key);
    table[at] = series + 1;
    if (2 * count > table.length) {
      rehash();
    }
    return series;
  }

  private int ofProjected(UnsafeRow key) {
    if (last >= 0 && rows.get(last).equals(key)) {
      return last;
    }
    Integer known = byRow.get(key);
    if (known != null) {
      return known;
    }
    rows.add(key.copy());
    byRow.put(rows.get(rows.size() - 1), count);
    rowBytes += key.getSizeInBytes() + KEY_OBJECT_BYTES;
    return count++;
  }

  private int slot(long key) {
    long mixed = key * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32) & (table.length - 1);
  }

  private int add(long key) {
    if (count == keys.length) {
      keys = Arrays.copyOf(keys, 2 * count);
    }
    keys[count] = key;
    return count++;
  }

  private void rehash() {
    table = new int[2 * table.length];
    for (int series = 0; series < count; series++) {
      if (series != nullSeries) {
        int at = slot(keys[series]);
        while (table[at] != 0) {
          at = (at + 1) & (table.length - 1);
        }
        table[at] = series + 1;
      }
    }
  }

  /** Returns about how many bytes this takes. */
  long bytes() {
    return (long) keys.length * Long.BYTES + (long) table.length * Integer.BYTES + rowBytes;
  }

  /** Returns the numbers of the series in the order of their keys. */
  int[] sorted() {
    if (projection != null) {
      return IntStream.range(0, count)
          .boxed()
          .sorted((a, b) -> ordering.compare(rows.get(a), rows.get(b)))
          .mapToInt(Integer::intValue)
          .toArray();
    }
    PrefixSort sort = new PrefixSort(count);
    if (nullSeries >= 0) {
      sort.add(Long.MIN_VALUE, nullSeries);
    }
    for (int series = 0; series < count; series++) {
      if (series != nullSeries) {
        sort.add(keys[series], series);
      }
    }
    sort.sort(null); // stable: of null and the least number, null stays first
    return IntStream.range(0, count).map(i -> (int) sort.value(i)).toArray();
  }
}
