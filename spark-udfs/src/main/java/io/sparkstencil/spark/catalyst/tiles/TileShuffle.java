/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.catalyst.tiles.TileAxis.Part;
import io.sparkstencil.spark.catalyst.tiles.TileAxis.Wide;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.spark.HashPartitioner;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeArrayData;
import scala.Tuple2;

/**
 * Brings what tiles need beside them to the tasks of their partitions; the tiles themselves stay
 * where they are. A first job cuts the strips of all tiles and finds the axes. Then strips meet the
 * axes and go, as pieces, to the buckets of the tiles that need them, where they learn in which
 * partition those are.
 *
 * @param input how tiles are read
 * @param buckets tasks of a shuffle
 */
record TileShuffle(TileInput input, int buckets) implements Serializable {
  /** Sends what has a place to the task of its partition. */
  private static final class Places extends Partitioner {
    private static final long serialVersionUID = 1L;

    private final int partitions;

    Places(int partitions) {
      this.partitions = partitions;
    }

    @Override
    public int numPartitions() {
      return partitions;
    }

    @Override
    public int getPartition(Object key) {
      return TileRims.partition((Long) key);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Places that && partitions == that.partitions;
    }

    @Override
    public int hashCode() {
      return partitions;
    }
  }

  /** The axes of all rasters, read once by the tasks of an executor. */
  private static final class SharedAxes implements Serializable {
    private static final long serialVersionUID = 1L;

    private final byte[] bytes;
    private final List<String> names;
    private transient Map<ByteBuffer, TileAxes.Axes> axes;

    SharedAxes(byte[] bytes, List<String> names) {
      this.bytes = bytes;
      this.names = names;
    }

    synchronized TileAxes.Axes of(TileKey key) {
      if (axes == null) {
        TileAxes read = new TileAxes();
        read.add(bytes);
        axes = read.axes(names);
      }
      return axes.get(key.raster());
    }
  }

  /**
   * Returns the rims of tiles, in partitions of the same numbers, in the order of their places.
   * Runs a job.
   */
  JavaPairRDD<Long, byte[]> rims(JavaRDD<InternalRow> rows) {
    JavaPairRDD<Integer, byte[]> strips =
        rows.mapPartitionsWithIndex(this::strips, true)
            .mapToPair(bytes -> new Tuple2<>(bucket(TileStrips.of(bytes).key()), bytes))
            .partitionBy(new HashPartitioner(buckets));
    TileAxes all = new TileAxes();
    strips.mapPartitions(TileShuffle.this::axes).collect().forEach(all::add);
    all.axes(input.names()); // refused here, not in a task
    Broadcast<SharedAxes> axes =
        JavaSparkContext.fromSparkContext(rows.context())
            .broadcast(new SharedAxes(all.bytes(), input.names()));
    JavaPairRDD<Integer, byte[]> pieces =
        strips
            .mapPartitionsToPair(each -> pieces(each, axes.value()))
            .partitionBy(new HashPartitioner(buckets));
    return strips
        .zipPartitions(pieces, (owners, parts) -> placed(owners, parts, axes.value()))
        .mapToPair(pair -> pair)
        .repartitionAndSortWithinPartitions(new Places(rows.getNumPartitions()));
  }

  private int bucket(byte[] key) {
    return TileKey.bucket(key, buckets);
  }

  private Iterator<byte[]> strips(int partition, Iterator<InternalRow> rows) {
    TileInput.Reader reader = input.reader();
    int[] count = {0};
    return stream(rows)
        .flatMap(
            row -> {
              TileKey key = reader.key(row);
              List<UnsafeArrayData> tile = reader.tile(row, key);
              if (tile == null) {
                return Stream.empty();
              }
              long place = TileRims.place(partition, count[0]++);
              byte[] bytes = key.row().getBytes().clone();
              return Stream.of(
                  TileStrips.of(place, bytes, tile, input.reach(), input.cellBytes()).bytes());
            })
        .iterator();
  }

  private static <T> Stream<T> stream(Iterator<T> elements) {
    Iterable<T> once = () -> elements;
    return StreamSupport.stream(once.spliterator(), false);
  }

  private Iterator<byte[]> axes(Iterator<Tuple2<Integer, byte[]>> strips) {
    TileAxes axes = new TileAxes();
    while (strips.hasNext()) {
      TileStrips tile = TileStrips.of(strips.next()._2());
      axes.add(TileKey.of(tile.key(), input.keyFields()), tile.rows(), tile.columns());
    }
    return List.of(axes.bytes()).iterator();
  }

  /** Cuts the strips of tiles into what others need, each with the key of such a tile. */
  private Iterator<Tuple2<Integer, byte[]>> pieces(
      Iterator<Tuple2<Integer, byte[]>> strips, SharedAxes axes) {
    return stream(strips)
        .flatMap(
            each -> {
              TileStrips tile = TileStrips.of(each._2());
              TileKey key = TileKey.of(tile.key(), input.keyFields());
              return pieces(tile, key, axes.of(key));
            })
        .iterator();
  }

  private Stream<Tuple2<Integer, byte[]>> pieces(TileStrips tile, TileKey key, TileAxes.Axes axes) {
    TileReach reach = input.reach();
    List<Part> across = axes.columns().parts(key.columnNumber(), tile.columns(), reach.columns());
    List<Tuple2<Integer, byte[]>> pieces = new ArrayList<>();
    for (Part down : axes.rows().parts(key.rowNumber(), tile.rows(), reach.rows())) {
      for (Part side : across) {
        if (down.own() && side.own()) {
          continue;
        }
        byte[] owner = key.beside(down.number(), side.number());
        TilePiece part = new TilePiece(down.from(), side.from(), down.count(), side.count());
        byte[] cells = tile.part(part, down.to(), side.to(), input.cellBytes());
        byte[] both =
            ByteBuffer.allocate(Integer.BYTES + owner.length + cells.length)
                .putInt(owner.length)
                .put(owner)
                .put(cells)
                .array();
        pieces.add(new Tuple2<>(bucket(owner), both));
      }
    }
    return pieces.stream();
  }

  /**
   * Gives pieces the places of the tiles that need them, and says how large those are with them.
   */
  private Iterator<Tuple2<Long, byte[]>> placed(
      Iterator<Tuple2<Integer, byte[]>> owners,
      Iterator<Tuple2<Integer, byte[]>> pieces,
      SharedAxes axes) {
    Map<ByteBuffer, Long> places = new HashMap<>();
    List<Tuple2<Long, byte[]>> rims = new ArrayList<>();
    while (owners.hasNext()) {
      TileStrips tile = TileStrips.of(owners.next()._2());
      TileKey key = TileKey.of(tile.key(), input.keyFields());
      if (places.put(ByteBuffer.wrap(tile.key()), tile.place()) != null) {
        throw new BadDataException(
            "two tiles have the %s %d and the %s %d; leave one of them, or name what tells their rasters apart by partitionBy"
                .formatted(
                    input.names().get(0),
                    key.rowNumber(),
                    input.names().get(1),
                    key.columnNumber()));
      }
      TileAxes.Axes ofRaster = axes.of(key);
      Wide rows = ofRaster.rows().wide(key.rowNumber(), input.reach().rows());
      Wide columns = ofRaster.columns().wide(key.columnNumber(), input.reach().columns());
      rims.add(new Tuple2<>(tile.place(), TileRims.head(tile, rows, columns)));
    }
    Stream<Tuple2<Long, byte[]>> placed =
        stream(pieces)
            .map(each -> ByteBuffer.wrap(each._2()))
            .mapMulti(
                (bytes, results) -> {
                  byte[] key = TileStrips.take(bytes);
                  Long place = places.get(ByteBuffer.wrap(key));
                  if (place != null) { // else there is room for a tile, but none
                    byte[] piece = new byte[bytes.remaining()];
                    bytes.get(piece);
                    results.accept(new Tuple2<>(place, TileRims.piece(key, piece)));
                  }
                });
    return Stream.concat(rims.stream(), placed).iterator();
  }
}
