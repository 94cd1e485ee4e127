/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;

/**
 * Hashes of rows, whose sum is that of the rows in any order. They tell apart what the words of
 * {@link io.sparkstencil.spark.RowBits} do: doubles with different bits, all NaN alike.
 */
final class RowHashes {
  private static final int NULL = 0;
  private static final int DOUBLE = 1;
  private static final int FLOAT = 2;
  private static final int INTEGER = 3;
  private static final int TEXT = 4;
  private static final int BYTES = 5;

  private final Row[] rows;

  RowHashes(Row[] rows) {
    this.rows = rows;
  }

  /** Returns the sum of the hashes of all rows, modulo 2 to the 64. */
  long sum(long seed) {
    long sum = XXH64.hashLong(rows.length, seed);
    for (Row row : rows) {
      long hash = seed;
      for (int i = 0; i < row.size(); i++) {
        hash = hash(row.get(i), hash);
      }
      sum += hash;
    }
    return sum;
  }

  private static long hash(Object value, long seed) {
    if (value instanceof Double number) {
      return XXH64.hashLong(Double.doubleToLongBits(number), seed + DOUBLE);
    } else if (value instanceof Float number) {
      return XXH64.hashLong(Float.floatToIntBits(number), seed + FLOAT);
    } else if (value instanceof Long || value instanceof Integer) {
      return XXH64.hashLong(((Number) value).longValue(), seed + INTEGER);
    } else if (value instanceof byte[] bytes) {
      return hash(bytes, seed + BYTES);
    }
    return value == null ? XXH64.hashLong(0, seed + NULL) : hash(value.toString(), seed);
  }

  private static long hash(String text, long seed) {
    return hash(text.getBytes(UTF_8), seed + TEXT);
  }

  private static long hash(byte[] bytes, long seed) {
    return XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, seed);
  }
}
