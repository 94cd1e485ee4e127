/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows come out of batches as they went in, byte by byte. */
final class RowBatchTest {
  private static final int HEADER_BYTES = 8;
  private static final int COLUMN_HEADER_BYTES = 24;

  /** A row of one word of null bits and then these numbers, the first null where it is 0. */
  private static UnsafeRow row(long... values) {
    UnsafeRow row = UnsafeRow.createFromByteArray(8 + 8 * values.length, values.length);
    for (int i = 0; i < values.length; i++) {
      row.setLong(i, values[i]);
    }
    if (values[0] == 0) {
      row.setNullAt(0);
    }
    return row;
  }

  private static RowLayout fixed(int fields) {
    return RowLayout.ofTypes(Collections.nCopies(fields, DataTypes.LongType));
  }

  /** Writes a batch as it is shuffled; checks that it needs no more bytes than it said. */
  private static UnsafeRow written(RowBatch batch) {
    int most = batch.mostBytes();
    byte[] target = new byte[most + 8];
    Platform.putLong(target, Platform.BYTE_ARRAY_OFFSET + (long) most, 0x0123456789ABCDEFL);
    int bytes = batch.write(target);
    assertThat(bytes).isPositive().isLessThanOrEqualTo(most);
    assertThat(bytes % Long.BYTES).isZero();
    assertThat(Platform.getLong(target, Platform.BYTE_ARRAY_OFFSET + (long) most))
        .isEqualTo(0x0123456789ABCDEFL);
    assertThat(batch.rows()).isZero();
    UnsafeRow written = new UnsafeRow(0);
    written.pointTo(target, Platform.BYTE_ARRAY_OFFSET, bytes);
    return written;
  }

  private static List<UnsafeRow> read(List<UnsafeRow> batches, RowLayout layout) {
    List<InternalRow> shuffled = new ArrayList<>(batches);
    BatchedRows rows =
        new BatchedRows(
            scala.jdk.javaapi.CollectionConverters.asScala(shuffled.iterator()), layout);
    List<UnsafeRow> read = new ArrayList<>();
    while (rows.hasNext()) {
      read.add(((UnsafeRow) rows.next()).copy());
    }
    return read;
  }

  private static void roundTrip(List<UnsafeRow> rows, RowLayout layout) {
    RowBatch batch = new RowBatch(layout, layout.codes(), 1 << 20);
    rows.forEach(batch::add);
    assertThat(batch.rows()).isEqualTo(rows.size());
    UnsafeRow view = new UnsafeRow(layout.fields());
    for (int i = rows.size() - 1; i >= 0; i--) {
      batch.point(view, i);
      assertThat(view).isEqualTo(rows.get(i));
    }
    UnsafeRow written = written(batch);
    assertThat(PackedColumns.rows(written)).isEqualTo(rows.size());
    assertThat(read(List.of(written), layout)).isEqualTo(rows);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "-7, -7, 0",
    "9223372036854775807, 9223372036854775807, 0",
    "-1, 0, 1",
    "5, 7, 2",
    "-2, 2, 3",
    "0, 15, 4",
    "0, 16, 5",
    "0, 127, 8",
    "0, 255, 8",
    "-128, 127, 8",
    "1000000000000, 1000000000255, 8",
    "0, 256, 9",
    "0, 4095, 12",
    "0, 4096, 16",
    "-30000, 35535, 16",
    "-30000, 35536, 17",
    "0, 16777215, 24",
    "0, 33554431, 25",
    "0, 33554432, 32",
    "-2147483648, 2147483647, 32",
    "4000000000000, 4004294967295, 32",
    "0, 4294967296, 33",
    "0, 72057594037927935, 56",
    "0, 72057594037927936, 64",
    "-9223372036854775808, -1, 64",
    "-9223372036854775808, 9223372036854775807, 64",
    "-1, 9223372036854775807, 64"
  })
  void numbersTakeAsManyBitsAsTheirRangeNeeds(long least, long most, int bits) {
    for (int count : new int[] {2, 3, 8, 9, 101}) {
      List<UnsafeRow> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        rows.add(row(1 + i % 2, i % 3 == 1 ? most : least));
      }
      RowLayout layout = fixed(2);
      roundTrip(rows, layout);
      RowBatch batch = new RowBatch(layout, layout.codes(), 1 << 20);
      rows.forEach(batch::add);
      int padded = (count * bits + 63) / 64 * 8;
      int flags = (count + 63) / 64 * 8; // 1 or 2: a bit each
      int numbered = 2 * 8 + flags; // both numbers once, and a bit each
      int divided = 8 + flags; // the distance of both, and a bit each
      int differences = most - least > 1 && divided < padded ? divided : padded;
      int column = 4 * numbered <= 3 * padded ? numbered : differences;
      assertThat(written(batch).getSizeInBytes())
          .isEqualTo(HEADER_BYTES + 3 * COLUMN_HEADER_BYTES + flags + column);
    }
  }

  /** Returns the bytes of a batch of rows of three columns, a double and two texts. */
  private static int bytesOfMixed(int count, IntFunction<Object[]> values) {
    UnsafeProjection projection =
        UnsafeProjection.create(
            new DataType[] {DataTypes.DoubleType, DataTypes.StringType, DataTypes.StringType});
    List<UnsafeRow> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(projection.apply(new GenericInternalRow(values.apply(i))).copy());
    }
    RowLayout layout =
        RowLayout.ofTypes(
            List.of(DataTypes.DoubleType, DataTypes.StringType, DataTypes.StringType));
    roundTrip(rows, layout);
    RowBatch batch = new RowBatch(layout, layout.codes(), 1 << 24);
    rows.forEach(batch::add);
    return written(batch).getSizeInBytes();
  }

  private static UTF8String digits(Random random, int radix, int count) {
    StringBuilder text = new StringBuilder();
    random.ints(count, 0, radix).forEach(digit -> text.append(Character.forDigit(digit, radix)));
    return UTF8String.fromString(text.toString());
  }

  @Test
  void fractionsLettersAndNumbersTakeFewBits() {
    Random random = new Random(7);
    UTF8String same = UTF8String.fromString("the same in all rows");
    int fractions =
        bytesOfMixed(
            1000, i -> new Object[] {random.nextInt(1000) / 100.0, digits(random, 16, 20), same});
    // 10 bits of hundredths, 4 of a digit; the rest once
    assertThat(fractions).isBetween(1000 * (10 + 80) / 8, 1000 * (10 + 80) / 8 + 400);
    double[] some = {Math.PI, Math.E, Double.NaN, -0.0};
    int doubles =
        bytesOfMixed(1000, i -> new Object[] {some[i % 4], i % 3 == 0 ? null : same, null});
    assertThat(doubles).isGreaterThan(1000 * 64 / 8);
  }

  @Test
  void textsOfAMebibyteAndMoreComeBack() {
    Random random = new Random(8);
    int bytes =
        bytesOfMixed(
            2, i -> new Object[] {0.5, digits(random, 16, 600_000), digits(random, 16, 400_000)});
    assertThat(bytes).as("as they are, and in 4 bits a letter").isBetween(1_600_000, 1_600_400);
  }

  @Test
  void randomRowsOfOneLength() {
    Random random = new Random(5);
    for (int round = 0; round < 200; round++) {
      int fields = 1 + random.nextInt(70); // 2 words of null bits from 65 on
      RowLayout layout = fixed(fields);
      List<UnsafeRow> rows = new ArrayList<>();
      for (int i = random.nextInt(60); i >= 0; i--) {
        UnsafeRow row = UnsafeRow.createFromByteArray(layout.words() * Long.BYTES, fields);
        for (int field = 0; field < fields; field++) {
          if (random.nextInt(5) == 0) {
            row.setNullAt(field);
          } else {
            row.setLong(field, random.nextLong() >> (field * 7 % 64));
          }
        }
        rows.add(row);
      }
      roundTrip(rows, layout);
    }
  }

  @Test
  void randomRowsOfAnyLength() {
    UnsafeProjection projection =
        UnsafeProjection.create(
            new DataType[] {DataTypes.LongType, DataTypes.StringType, DataTypes.BinaryType});
    Random random = new Random(6);
    for (int round = 0; round < 50; round++) {
      List<UnsafeRow> rows = new ArrayList<>();
      for (int i = random.nextInt(60); i >= 0; i--) {
        String characters = (random.nextBoolean() ? "x" : "€😀").repeat(random.nextInt(40));
        Object text = random.nextInt(4) == 0 ? null : UTF8String.fromString(characters);
        Object bytes = random.nextBoolean() ? null : new byte[random.nextInt(300)];
        rows.add(
            projection
                .apply(new GenericInternalRow(new Object[] {random.nextLong(), text, bytes}))
                .copy());
      }
      roundTrip(rows, RowLayout.asTheyAre(3));
      roundTrip(
          rows,
          RowLayout.ofTypes(
              List.of(DataTypes.LongType, DataTypes.StringType, DataTypes.BinaryType)));
    }
  }

  @Test
  void rowsWithoutColumns() {
    roundTrip(
        List.of(new UnsafeRow(0), new UnsafeRow(0), new UnsafeRow(0)).stream()
            .map(RowBatchTest::empty)
            .toList(),
        RowLayout.asTheyAre(0));
  }

  private static UnsafeRow empty(UnsafeRow row) {
    row.pointTo(new byte[0], Platform.BYTE_ARRAY_OFFSET, 0);
    return row;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 24, 100, 1000})
  void isFullAfterItsBytesButTakesAtLeastOneRow(int mostBytes) {
    RowLayout layout = fixed(2);
    RowBatch batch = new RowBatch(layout, layout.codes(), mostBytes);
    int rows = 0;
    while (!batch.isFullFor(24)) {
      batch.add(row(rows, 2));
      rows++;
    }
    assertThat(rows).isEqualTo(Math.max(1, mostBytes / 24));
    RowLayout any = RowLayout.asTheyAre(1);
    RowBatch wide = new RowBatch(any, any.codes(), mostBytes);
    assertThat(wide.isFullFor(4096)).isFalse();
    wide.add(UnsafeRow.createFromByteArray(4096, 1));
    assertThat(wide.isFullFor(8)).isTrue();
  }

  @Test
  void isUsedAgainAfterItWasWritten() {
    RowLayout layout = fixed(2);
    RowBatch batch = new RowBatch(layout, layout.codes(), 1 << 16);
    List<UnsafeRow> rows = new ArrayList<>();
    List<UnsafeRow> batches = new ArrayList<>();
    for (int count : new int[] {500, 3, 1, 700}) {
      for (int i = 0; i < count; i++) {
        rows.add(row(i, -i * 77L * count));
        batch.add(rows.get(rows.size() - 1));
      }
      batches.add(written(batch));
    }
    assertThat(read(batches, layout)).isEqualTo(rows);
  }
}
