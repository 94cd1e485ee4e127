/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeRowJoiner;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowJoiner;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/**
 * Puts the columns of one row behind those of another where all are of fixed width. Words are
 * copied one by one: for so few, a copy of memory, by which Spark's joiner works, costs more.
 */
public final class RowJoiner extends UnsafeRowJoiner {
  private final int leftFields;
  private final int rightFields;
  private final int leftNulls; // words of null bits, as the next two
  private final int rightNulls;
  private final int nulls;
  private final byte[] memory;
  private final UnsafeRow joined;

  private RowJoiner(int leftFields, int rightFields) {
    this.leftFields = leftFields;
    this.rightFields = rightFields;
    this.leftNulls = nullWords(leftFields);
    this.rightNulls = nullWords(rightFields);
    this.nulls = nullWords(leftFields + rightFields);
    this.memory = new byte[(nulls + leftFields + rightFields) * Long.BYTES];
    this.joined = new UnsafeRow(leftFields + rightFields);
    joined.pointTo(memory, memory.length);
  }

  private static int nullWords(int fields) {
    return UnsafeRow.calculateBitSetWidthInBytes(fields) / Long.BYTES;
  }

  /** Returns what joins rows with these columns, by Spark's joiner if some vary in length. */
  public static UnsafeRowJoiner of(StructType left, StructType right) {
    return isFixed(left) && isFixed(right)
        ? new RowJoiner(left.size(), right.size())
        : GenerateUnsafeRowJoiner.create(left, right);
  }

  private static boolean isFixed(StructType row) {
    return Arrays.stream(row.fields()).allMatch(field -> UnsafeRow.isFixedLength(field.dataType()));
  }

  /** Returns the joined row, which the next call overwrites. */
  @Override
  public UnsafeRow join(UnsafeRow left, UnsafeRow right) {
    long to = Platform.BYTE_ARRAY_OFFSET + (long) nulls * Long.BYTES;
    copy(left, leftNulls, leftFields, to);
    copy(right, rightNulls, rightFields, to + (long) leftFields * Long.BYTES);
    joinNulls(left, right);
    return joined;
  }

  /** Copies the values of a row. */
  private void copy(UnsafeRow row, int nullWords, int fields, long to) {
    Object base = row.getBaseObject();
    long from = row.getBaseOffset() + (long) nullWords * Long.BYTES;
    for (long skipped = 0; skipped < (long) fields * Long.BYTES; skipped += Long.BYTES) {
      Platform.putLong(memory, to + skipped, Platform.getLong(base, from + skipped));
    }
  }

  private void joinNulls(UnsafeRow left, UnsafeRow right) {
    for (int word = 0; word < nulls; word++) {
      put(word, word < leftNulls ? word(left, word) : 0);
    }
    int first = leftFields / Long.SIZE;
    int shift = leftFields % Long.SIZE;
    for (int word = 0; word < rightNulls; word++) {
      long bits = word(right, word);
      add(first + word, bits << shift);
      if (shift > 0) {
        add(first + word + 1, bits >>> (Long.SIZE - shift));
      }
    }
  }

  private static long word(UnsafeRow row, int word) {
    return Platform.getLong(row.getBaseObject(), row.getBaseOffset() + (long) word * Long.BYTES);
  }

  private void add(int word, long bits) {
    if (bits != 0) {
      put(word, bits | word(joined, word));
    }
  }

  private void put(int word, long bits) {
    Platform.putLong(memory, Platform.BYTE_ARRAY_OFFSET + (long) word * Long.BYTES, bits);
  }
}
