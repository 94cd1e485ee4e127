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
import scala.Tuple2;

/**
 * Brings what tiles need beside them to the tasks of their partitions; the tiles themselves stay
 * where they are. Strips, which {@link TileStage} cuts, meet the axes of their rasters and go, as
 * pieces, to the buckets of the tiles that need them, where they learn in which partition those
 * are.
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

  /** Returns the rims of tiles, in partitions of the same numbers, in the order of their places. */
  JavaRDD<Tuple2<Long, byte[]>> rims(TileStage stage) {
    JavaRDD<byte[]> strips = stage.strips();
    JavaPairRDD<Integer, byte[]> axes =
        stage
            .sizes()
            .mapPartitionsToPair(sizes -> TileAxes.found(sizes, input.keyFields()))
            .partitionBy(new HashPartitioner(buckets));
    JavaPairRDD<Integer, byte[]> pieces =
        strips
            .zipPartitions(axes, this::pieces)
            .mapToPair(pair -> pair)
            .partitionBy(new HashPartitioner(buckets));
    return strips
        .zipPartitions(pieces, this::placed)
        .mapToPair(pair -> pair)
        .repartitionAndSortWithinPartitions(new Places(stage.tasks()))
        .mapPartitions(rims -> rims, true); // tasks run where tiles are, not where rims come from
  }

  private int bucket(byte[] key) {
    return TileKey.bucket(key, buckets);
  }

  private static <T> Stream<T> stream(Iterator<T> elements) {
    Iterable<T> once = () -> elements;
    return StreamSupport.stream(once.spliterator(), false);
  }

  /** Cuts the strips of tiles into what others need, behind the heads of the tiles' own rims. */
  private Iterator<Tuple2<Integer, byte[]>> pieces(
      Iterator<byte[]> strips, Iterator<Tuple2<Integer, byte[]>> rasters) {
    Map<ByteBuffer, TileAxes.Axes> axes = TileAxes.read(rasters, input.names());
    return stream(strips)
        .flatMap(
            each -> {
              TileStrips tile = TileStrips.of(each);
              TileKey key = TileKey.of(tile.key(), input.keyFields());
              TileAxes.Axes ofRaster = axes.get(key.raster());
              if (ofRaster == null) {
                throw TileRims.notTwice();
              }
              return pieces(tile, key, ofRaster);
            })
        .iterator();
  }

  private Stream<Tuple2<Integer, byte[]>> pieces(TileStrips tile, TileKey key, TileAxes.Axes axes) {
    TileReach reach = input.reach();
    List<Part> across = axes.columns().parts(key.columnNumber(), tile.columns(), reach.columns());
    List<Tuple2<Integer, byte[]>> pieces = new ArrayList<>();
    Wide rows = axes.rows().wide(key.rowNumber(), reach.rows());
    Wide columns = axes.columns().wide(key.columnNumber(), reach.columns());
    pieces.add(new Tuple2<>(bucket(tile.key()), TileRims.head(tile, rows, columns)));
    for (Part down : axes.rows().parts(key.rowNumber(), tile.rows(), reach.rows())) {
      for (Part side : across) {
        if (down.own() && side.own()) {
          continue;
        }
        byte[] owner = key.beside(down.number(), side.number());
        TilePiece part = new TilePiece(down.from(), side.from(), down.count(), side.count());
        byte[] cells = tile.part(part, down.to(), side.to(), input.cellBytes());
        pieces.add(new Tuple2<>(bucket(owner), TileRims.piece(owner, cells)));
      }
    }
    return pieces.stream();
  }

  /** Gives what belongs to rims the places of their tiles. */
  private Iterator<Tuple2<Long, byte[]>> placed(
      Iterator<byte[]> owners, Iterator<Tuple2<Integer, byte[]>> pieces) {
    Map<ByteBuffer, Long> places = new HashMap<>();
    while (owners.hasNext()) {
      TileStrips tile = TileStrips.of(owners.next());
      if (places.put(ByteBuffer.wrap(tile.key()), tile.place()) != null) {
        TileKey key = TileKey.of(tile.key(), input.keyFields());
        throw new BadDataException(
            "two tiles have the %s %d and the %s %d; leave one of them, or partition by what tells their rasters apart"
                .formatted(
                    input.names().get(0),
                    key.rowNumber(),
                    input.names().get(1),
                    key.columnNumber()));
      }
    }
    return stream(pieces)
        .map(Tuple2::_2)
        .<Tuple2<Long, byte[]>>mapMulti(
            (record, results) -> {
              Long place = places.get(ByteBuffer.wrap(TileRims.key(record)));
              if (place != null) { // else there is room for a tile, but none
                results.accept(new Tuple2<>(place, record));
              }
            })
        .iterator();
  }
}
