/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.catalyst.rows.EmittedRows;
import io.sparkstencil.spark.exec.CellColumn;
import io.sparkstencil.spark.exec.ChunkBuilder;
import io.sparkstencil.spark.exec.SeriesChunk;
import io.sparkstencil.spark.exec.StagePlan;
import java.util.List;
import java.util.Map;
import org.apache.spark.SerializableWritable;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.apache.spark.util.SizeEstimator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import scala.reflect.ClassTag;

/** Rows that stay travel to other executors by the serializer of the session. */
final class SplitRowsTest {
  private static final StagePlan PLAN =
      StagePlan.ofArrays(
          ElementType.F64,
          StencilSpec.ofArrays(ElementType.F64, Stencil.mean(Frame.offsets(-1, 1))));

  private static final StructType SCHEMA = new StructType().add("v", DataTypes.DoubleType);

  /** Returns five rows, of which the second stays, the first is a head and the last a tail. */
  private static SplitRows rows() {
    ChunkBuilder builder = new ChunkBuilder(PLAN, false);
    CellColumn column = builder.columns()[0];
    for (int i = 0; i < 4; i++) {
      column.add(i + 0.5);
    }
    column.addNull();
    SplitParts.Kept kept =
        new SplitParts.Kept(
            range(1, 1), Map.of(EdgeMark.HEAD, range(0, 1), EdgeMark.TAIL, range(4, 1)));
    return SplitRows.of(builder.finish(kept), new int[] {0}, 7, 100);
  }

  private static EmittedRows range(int from, int rows) {
    return new EmittedRows(List.of(new EmittedRows.Range(from, rows)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theSameComesBack(boolean kryo) {
    SparkConf conf = new SparkConf(false).set("spark.kryo.registrationRequired", "true");
    Serializer serializer = kryo ? new KryoSerializer(conf) : new JavaSerializer(conf);
    SerializerInstance instance = serializer.newInstance();
    ClassTag<SerializableWritable<Packed<SplitRows>>> tag = ClassTag.apply(Packed.type());

    SplitRows back =
        Packed.open(instance.deserialize(instance.serialize(Packed.of(rows()), tag), tag));

    SeriesChunk<EmittedRows> chunk = back.chunks().get(0);
    assertThat(chunk.payload()).isEqualTo(range(1, 1));
    assertThat(chunk.rows()).isEqualTo(5);
    assertThat(chunk.column(0).bits(1)).isEqualTo(Double.doubleToRawLongBits(1.5));
    ColumnarBatch sent = back.sent(SCHEMA);
    assertThat(sent.numRows()).isEqualTo(2);
    for (int i = 0; i < 2; i++) {
      long word = sent.column(1).getLong(i);
      EdgeMark mark = EdgeMark.of(EdgeMark.part(word));
      assertThat(sent.column(0).isNullAt(i)).isEqualTo(mark == EdgeMark.TAIL);
      assertThat(word).isEqualTo(mark.word(7, 100 + i));
    }
  }

  /** Spark asks the rows for their size also where they are packed. */
  @Test
  void theSizeOfPackedRowsIsTheirs() {
    SplitRows rows = rows();
    long packed = SizeEstimator.estimate(Packed.of(rows));
    assertThat(packed - rows.estimatedSize()).isBetween(0L, 64L);
  }

  /** Spark sees each object of the parts, and of the rows asks this alone. */
  @Test
  void theSizeIsAboutThatOfTheParts() {
    CellColumn[] columns = {new CellColumn(ElementType.F64, 0), new CellColumn(ElementType.I32, 0)};
    for (int i = 0; i < 1000; i++) {
      columns[0].add(i + 0.5);
      columns[1].addNull();
    }
    SplitRows sent = SplitRows.whole(columns, 7, 100);
    SplitRows kept = rows();

    assertThat((double) sent.estimatedSize())
        .isCloseTo(SizeEstimator.estimate(columns) + 1000 * Long.BYTES, withinPercentage(5));
    assertThat(kept.estimatedSize())
        .isGreaterThan(
            kept.chunks().get(0).bytes() + kept.sentRows() * (Long.BYTES + Double.BYTES));
  }
}
