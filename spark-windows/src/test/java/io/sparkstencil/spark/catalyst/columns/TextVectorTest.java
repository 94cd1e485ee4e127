/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayBasedMapData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.apache.spark.sql.vectorized.ColumnarMap;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.CalendarInterval;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Values that are no texts become objects one by one. */
final class TextVectorTest {
  private static final int ROWS = 1000;
  private static final StructType PAIR =
      new StructType().add("n", DataTypes.IntegerType).add("s", DataTypes.StringType);

  /** The bytes of values, which counts how often one is copied. */
  private static final class CountedTexts implements TextMemory {
    private final Map<Long, byte[]> texts = new HashMap<>();
    private int copied;

    @Override
    public UTF8String text(long place) {
      return UTF8String.fromBytes(texts.get(place));
    }

    @Override
    public int bytes(long place) {
      return texts.get(place).length;
    }

    @Override
    public void copy(long place, int bytes, Object to, long offset) {
      copied++;
      Platform.copyMemory(texts.get(place), Platform.BYTE_ARRAY_OFFSET, to, offset, bytes);
    }
  }

  private final CountedTexts memory = new CountedTexts();

  /** Returns a column of values, the third of which is null. */
  private TextVector column(DataType type, List<Object> values) {
    UnsafeProjection binary = UnsafeProjection.create(new DataType[] {type});
    long[] places = new long[values.size()];
    byte[] validity = new byte[values.size()];
    for (int i = 0; i < places.length; i++) {
      UnsafeRow row = binary.apply(new GenericInternalRow(new Object[] {values.get(i)}));
      long word = row.getLong(0);
      byte[] bytes = new byte[(int) word];
      Platform.copyMemory(
          row.getBaseObject(),
          row.getBaseOffset() + (word >>> Integer.SIZE),
          bytes,
          Platform.BYTE_ARRAY_OFFSET,
          bytes.length);
      places[i] = i;
      memory.texts.put((long) i, bytes);
      validity[i] = (byte) (i == 2 ? 0 : 1);
    }
    return new TextVector(type, memory, places, validity, 0, places.length);
  }

  private static List<Object> values(java.util.function.IntFunction<Object> value) {
    return new ArrayList<>(IntStream.range(0, ROWS).mapToObj(value).toList());
  }

  private static UTF8String text(int i) {
    return UTF8String.fromString("text " + i);
  }

  @Test
  void anArrayThatIsAskedForIsTheOnlyOneThatIsRead() {
    TextVector column =
        column(
            new ArrayType(DataTypes.StringType, true),
            values(i -> new GenericArrayData(new Object[] {text(i), null, text(2 * i)})));

    ColumnarArray array = column.getArray(700);

    assertThat(array.numElements()).isEqualTo(3);
    assertThat(array.getUTF8String(0)).isEqualTo(text(700));
    assertThat(array.isNullAt(1)).isTrue();
    assertThat(array.getUTF8String(2)).isEqualTo(text(1400));
    assertThat(memory.copied).isEqualTo(1);
    assertThat(column.getArray(701).getUTF8String(0)).isEqualTo(text(701));
    assertThat(array.getUTF8String(0)).isEqualTo(text(700));
    assertThat(column.getArray(2)).isNull();
    assertThat(memory.copied).isEqualTo(2);
  }

  @Test
  void fieldsOfAStructAreReadTogether() {
    StructType nested = new StructType().add("pair", PAIR).add("d", DataTypes.DoubleType);
    TextVector column =
        column(nested, values(i -> InternalRow.fromSeq(seq(i % 5 == 0 ? null : pair(i), 0.5 * i))));

    InternalRow row = column.getStruct(701);

    assertThat(row.getStruct(0, 2).getInt(0)).isEqualTo(701);
    assertThat(row.getStruct(0, 2).getUTF8String(1)).isEqualTo(text(701));
    assertThat(row.getDouble(1)).isEqualTo(350.5);
    assertThat(memory.copied).isEqualTo(1);
    assertThat(column.getStruct(705).isNullAt(0)).isTrue();
    assertThat(column.getStruct(2)).isNull();
    assertThat(column.getChild(1).getDouble(2)).isZero();
    assertThat(memory.copied).isEqualTo(2);
    assertThat(row.copy().getStruct(0, 2).getInt(0)).isEqualTo(701);
  }

  @Test
  void mapsDecimalsAndIntervalsAreReadOneByOne() {
    TextVector maps =
        column(
            new MapType(DataTypes.IntegerType, PAIR, true),
            values(
                i ->
                    new ArrayBasedMapData(
                        new GenericArrayData(new Object[] {i, i + 1}),
                        new GenericArrayData(new Object[] {null, pair(i)}))));
    ColumnarMap map = maps.getMap(9);
    assertThat(map.keyArray().getInt(1)).isEqualTo(10);
    assertThat(map.valueArray().isNullAt(0)).isTrue();
    assertThat(map.valueArray().getStruct(1, 2).getInt(0)).isEqualTo(9);
    assertThat(memory.copied).isEqualTo(1);

    DataType wide = DataTypes.createDecimalType(38, 2);
    TextVector decimals =
        column(wide, values(i -> Decimal.apply("123456789012345678901." + i % 90)));
    assertThat(decimals.getDecimal(31, 38, 2)).isEqualTo(Decimal.apply("123456789012345678901.31"));
    assertThat(decimals.getDecimal(2, 38, 2)).isNull();
    assertThat(memory.copied).isEqualTo(2);

    TextVector intervals =
        column(DataTypes.CalendarIntervalType, values(i -> new CalendarInterval(i, 1, 2)));
    assertThat(intervals.getInterval(77)).isEqualTo(new CalendarInterval(77, 1, 2));
    assertThat(intervals.getInterval(2)).isNull();
    assertThat(memory.copied).isEqualTo(3);
  }

  private static InternalRow pair(int i) {
    return InternalRow.fromSeq(seq(i, text(i)));
  }

  private static scala.collection.immutable.Seq<Object> seq(Object... values) {
    return scala.jdk.javaapi.CollectionConverters.asScala(java.util.Arrays.asList(values)).toSeq();
  }
}
