/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;
import scala.collection.Map;
import scala.collection.Seq;
import scala.jdk.javaapi.CollectionConverters;

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
  private static final int ELEMENTS = 6;
  private static final int ENTRIES = 7;
  private static final int FIELDS = 8;
  private static final int OTHER = 9;

  private RowHashes() {}

  /** Returns the sum of the hashes of all rows, modulo 2 to the 64, for each of some seeds. */
  static long[] sums(Row[] rows, long[] seeds) {
    long[] sums = seeds.clone();
    addNumber(sums, rows.length, 0);
    for (Row row : rows) {
      long[] hashes = seeds.clone();
      addFields(hashes, row);
      for (int i = 0; i < sums.length; i++) {
        sums[i] += hashes[i];
      }
    }
    return sums;
  }

  private static void add(long[] hashes, Object value) {
    if (value == null) {
      addNumber(hashes, 0, NULL);
    } else if (value instanceof Double number) {
      addNumber(hashes, Double.doubleToLongBits(number), DOUBLE);
    } else if (value instanceof Float number) {
      addNumber(hashes, Float.floatToIntBits(number), FLOAT);
    } else if (value instanceof Long || value instanceof Integer) {
      addNumber(hashes, ((Number) value).longValue(), INTEGER);
    } else if (value instanceof byte[] bytes) {
      addBytes(hashes, bytes, BYTES);
    } else if (value instanceof String text) {
      addBytes(hashes, text.getBytes(UTF_8), TEXT);
    } else if (value instanceof Row row) {
      addNumber(hashes, row.size(), FIELDS);
      addFields(hashes, row);
    } else if (value instanceof Seq<?> elements) {
      addNumber(hashes, elements.length(), ELEMENTS);
      CollectionConverters.asJava(elements).forEach(each -> add(hashes, each));
    } else if (value instanceof Map<?, ?> entries) {
      addNumber(hashes, entries.size(), ENTRIES);
      CollectionConverters.asJava(entries)
          .forEach(
              (key, of) -> {
                add(hashes, key);
                add(hashes, of);
              });
    } else {
      addBytes(hashes, value.toString().getBytes(UTF_8), OTHER);
    }
  }

  private static void addFields(long[] hashes, Row row) {
    for (int i = 0; i < row.size(); i++) {
      add(hashes, row.get(i));
    }
  }

  private static void addNumber(long[] hashes, long number, int kind) {
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = XXH64.hashLong(number, hashes[i] + kind);
    }
  }

  private static void addBytes(long[] hashes, byte[] bytes, int kind) {
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] =
          XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, hashes[i] + kind);
    }
  }
}
