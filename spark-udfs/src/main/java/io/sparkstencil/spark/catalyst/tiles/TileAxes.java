/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.spark.catalyst.tiles.TileAxis.TileSize;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The numbers and sizes of the tiles along both axes of each raster. */
final class TileAxes {
  private final Map<ByteBuffer, List<Set<TileSize>>> rasters = new HashMap<>();

  /** The axes of a raster. */
  record Axes(TileAxis rows, TileAxis columns) {}

  /** Adds a tile. */
  void add(TileKey key, int rows, int columns) {
    List<Set<TileSize>> sizes = of(key.raster());
    sizes.get(0).add(new TileSize(key.rowNumber(), rows));
    sizes.get(1).add(new TileSize(key.columnNumber(), columns));
  }

  private List<Set<TileSize>> of(ByteBuffer raster) {
    return rasters.computeIfAbsent(raster, any -> List.of(new HashSet<>(), new HashSet<>()));
  }

  /** Adds what others have found, as {@link #bytes} has written it. */
  void add(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      for (int raster = in.readInt(); raster > 0; raster--) {
        List<Set<TileSize>> sizes = of(ByteBuffer.wrap(in.readNBytes(in.readInt())));
        for (Set<TileSize> axis : sizes) {
          for (int tile = in.readInt(); tile > 0; tile--) {
            axis.add(new TileSize(in.readLong(), in.readInt()));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all of them as bytes. */
  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(rasters.size());
      for (Map.Entry<ByteBuffer, List<Set<TileSize>>> raster : rasters.entrySet()) {
        byte[] key = raster.getKey().array();
        out.writeInt(key.length);
        out.write(key);
        for (Set<TileSize> axis : raster.getValue()) {
          out.writeInt(axis.size());
          for (TileSize tile : axis) {
            out.writeLong(tile.number());
            out.writeInt(tile.cells());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Returns the axes of each raster.
   *
   * @param names the columns with the numbers of tiles
   * @throws io.sparkstencil.error.BadDataException if tiles do not fit
   */
  Map<ByteBuffer, Axes> axes(List<String> names) {
    Map<ByteBuffer, Axes> axes = new HashMap<>();
    rasters.forEach(
        (raster, sizes) ->
            axes.put(
                raster,
                new Axes(
                    TileAxis.of(names.get(0), sizes.get(0)),
                    TileAxis.of(names.get(1), sizes.get(1)))));
    return axes;
  }
}
