/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.shuffle.BatchedShuffle;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;
import org.apache.spark.sql.execution.CoalescedPartitionSpec;
import org.apache.spark.sql.execution.PartialMapperPartitionSpec;
import org.apache.spark.sql.execution.ShufflePartitionSpec;
import scala.Option;
import scala.Product2;
import scala.Tuple2;
import scala.collection.immutable.Seq;

/**
 * The stage that computes tiles, once. Its tasks write to one shuffle: each tile to the first
 * partition, of which a task later reads only what the task of its own number wrote, on the same
 * host; the {@link TileStrips strips} of each tile to the bucket where they meet those of its
 * neighbours; and its size to where those of its raster meet. So tiles and their strips are of one
 * attempt, as long as what it wrote is there.
 *
 * @param shuffle what is written
 * @param tasks of the stage
 * @param buckets partitions of strips, and of sizes
 */
record TileStage(
    ShuffleDependency<Object, InternalRow, InternalRow> shuffle, int tasks, int buckets) {
  private static final int TILES = 0;
  private static final int STRIPS = 1;

  /**
   * Returns the stage of rows, of which nothing runs yet.
   *
   * @param input how tiles are read out of them
   */
  static TileStage of(JavaRDD<InternalRow> rows, TileInput input, int buckets) {
    JavaRDD<Product2<Object, InternalRow>> written =
        rows.mapPartitionsWithIndex((task, each) -> new Written(input, buckets, task, each), true);
    return new TileStage(
        BatchedShuffle.ofRows(written.rdd(), input.attributes().size(), STRIPS + 2 * buckets),
        rows.getNumPartitions(),
        buckets);
  }

  /** Returns the rows, in the partitions that they were in. */
  JavaRDD<InternalRow> tiles() {
    ShufflePartitionSpec[] parts =
        IntStream.range(0, tasks)
            .mapToObj(task -> new PartialMapperPartitionSpec(task, TILES, TILES + 1))
            .toArray(ShufflePartitionSpec[]::new);
    return BatchedShuffle.read(shuffle, parts).toJavaRDD();
  }

  /** Returns the bytes of the strips of all tiles, in the partitions of their buckets. */
  JavaRDD<byte[]> strips() {
    return bytes(STRIPS);
  }

  /** Returns what each tile adds to its raster, in the partitions of the rasters' buckets. */
  JavaRDD<byte[]> sizes() {
    return bytes(STRIPS + buckets);
  }

  private JavaRDD<byte[]> bytes(int first) {
    ShufflePartitionSpec[] parts =
        IntStream.range(first, first + buckets)
            .mapToObj(part -> new CoalescedPartitionSpec(part, part + 1, Option.empty()))
            .toArray(ShufflePartitionSpec[]::new);
    return BatchedShuffle.read(shuffle, parts).toJavaRDD().map(TileStage::unpacked);
  }

  /** Rows of a shuffle have as many fields as tiles have; here it is one. */
  private static byte[] unpacked(InternalRow row) {
    UnsafeRow written = (UnsafeRow) row;
    UnsafeRow packed = new UnsafeRow(1);
    packed.pointTo(written.getBaseObject(), written.getBaseOffset(), written.getSizeInBytes());
    return packed.getBinary(0);
  }

  /** What a task writes: rows, and what there is to say of each behind it. */
  private static final class Written implements Iterator<Product2<Object, InternalRow>> {
    private final TileInput input;
    private final int buckets;
    private final int task;
    private final Iterator<InternalRow> rows;
    private final TileInput.Reader reader;
    private final UnsafeProjection projection;
    private final UnsafeRowWriter strips = new UnsafeRowWriter(1);
    private final UnsafeRowWriter sizes = new UnsafeRowWriter(1);
    private final boolean keepsRows = BatchedShuffle.keepsRows();
    private final ArrayDeque<Product2<Object, InternalRow>> behind = new ArrayDeque<>();
    private int count;

    Written(TileInput input, int buckets, int task, Iterator<InternalRow> rows) {
      this.input = input;
      this.buckets = buckets;
      this.task = task;
      this.rows = rows;
      reader = input.reader();
      Seq<Expression> columns = ScalaInterop.<Expression>seq(ScalaInterop.list(input.attributes()));
      projection = UnsafeProjection.create(columns, input.attributes());
    }

    @Override
    public boolean hasNext() {
      return !behind.isEmpty() || rows.hasNext();
    }

    @Override
    public Product2<Object, InternalRow> next() {
      if (!behind.isEmpty()) {
        return behind.remove();
      }
      if (!rows.hasNext()) {
        throw new NoSuchElementException();
      }
      InternalRow row = rows.next();
      UnsafeRow unsafe = row instanceof UnsafeRow same ? same : projection.apply(row);
      TileKey key = reader.key(unsafe);
      List<UnsafeArrayData> tile = reader.tile(unsafe, key);
      if (tile != null) {
        describe(key, tile);
      }
      return record(TILES, unsafe);
    }

    private void describe(TileKey key, List<UnsafeArrayData> tile) {
      byte[] bytes = key.row().getBytes().clone();
      int bucket = TileKey.bucket(bytes, buckets);
      long place = TileRims.place(task, count++);
      TileStrips cut = TileStrips.of(place, bytes, tile, input.reach(), input.cellBytes());
      behind.add(record(STRIPS + bucket, row(strips, cut.bytes())));
      byte[] size = TileAxes.ofTile(bytes, bucket, cut.rows(), cut.columns());
      int ofRaster = TileKey.bucket(key.raster().array(), buckets);
      behind.add(record(STRIPS + buckets + ofRaster, row(sizes, size)));
    }

    private static UnsafeRow row(UnsafeRowWriter writer, byte[] bytes) {
      writer.reset();
      writer.zeroOutNullBytes();
      writer.write(0, bytes);
      return writer.getRow();
    }

    private Product2<Object, InternalRow> record(int part, UnsafeRow row) {
      return new Tuple2<>(part, keepsRows ? row.copy() : row);
    }
  }
}
