/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.tiles;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.spark.catalyst.tiles.TileReach.AxisReach;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Where tiles lie along an axis of a raster. They follow each other by their numbers; the first
 * begins with cell 0. Where no tile has a number between two others, there is room for one of the
 * size that all but the last have.
 */
final class TileAxis {
  /** The most cells of an axis, so that places beside it are numbers still. */
  private static final long MOST_CELLS = 1L << 61;

  private final String name;
  private final long[] numbers; // ascending
  private final long[] starts;
  private final int[] sizes;

  private TileAxis(String name, long[] numbers, long[] starts, int[] sizes) {
    this.name = name;
    this.numbers = numbers;
    this.starts = starts;
    this.sizes = sizes;
  }

  /**
   * A number that tiles have along the axis, and how many cells they have along it.
   *
   * @param number of the tiles
   * @param cells along the axis
   */
  record TileSize(long number, int cells) {}

  /**
   * Returns the axis of tiles.
   *
   * @param name of the column with their numbers
   * @param tiles the numbers and sizes that there are
   * @throws BadDataException if two tiles of one number have not the same size, or the axis has
   *     more than 2^61 cells
   */
  static TileAxis of(String name, Set<TileSize> tiles) {
    TreeMap<Long, Integer> sizes = new TreeMap<>();
    for (TileSize tile : tiles) {
      long number = tile.number();
      int size = tile.cells();
      if (size < 1) {
        throw new BadDataException(
            "a tile whose %s is %d has no cells; leave it out, or make it null"
                .formatted(name, number));
      }
      Integer other = sizes.put(number, size);
      if (other != null) {
        throw new BadDataException(
            "tiles whose %s is %d have %d and %d cells along this axis; tiles beside each other need equally many"
                .formatted(name, number, Math.min(size, other), Math.max(size, other)));
      }
    }
    return of(name, sizes);
  }

  private static TileAxis of(String name, NavigableMap<Long, Integer> tiles) {
    int count = tiles.size();
    long[] numbers = new long[count];
    long[] starts = new long[count];
    int[] sizes = new int[count];
    int index = 0;
    for (Map.Entry<Long, Integer> tile : tiles.entrySet()) {
      numbers[index] = tile.getKey();
      sizes[index] = tile.getValue();
      if (index > 0) {
        starts[index] = start(name, tiles, tile.getKey(), starts[index - 1] + sizes[index - 1]);
      }
      index++;
    }
    return new TileAxis(name, numbers, starts, sizes);
  }

  /** Returns where a tile begins if the one before it ends with a cell. */
  private static long start(
      String name, NavigableMap<Long, Integer> tiles, long number, long endBefore) {
    long before = tiles.lowerKey(number);
    BigInteger absent =
        BigInteger.valueOf(number).subtract(BigInteger.valueOf(before)).subtract(BigInteger.ONE);
    BigInteger start = BigInteger.valueOf(endBefore);
    if (absent.signum() > 0) {
      start = start.add(absent.multiply(BigInteger.valueOf(commonSize(name, tiles))));
    }
    if (start.compareTo(BigInteger.valueOf(MOST_CELLS)) > 0) {
      throw new BadDataException(
          "tiles whose %s is %d and %d make an axis of more than 2^61 cells; number tiles by their place, or take out those that are far away"
              .formatted(name, before, number));
    }
    return start.longValue();
  }

  private static long commonSize(String name, NavigableMap<Long, Integer> tiles) {
    List<Integer> sizes =
        tiles.headMap(tiles.lastKey(), false).values().stream().distinct().toList();
    if (sizes.size() > 1) {
      throw new BadDataException(
          "no tile has some of the numbers between %s %d and %d, and others have %d or %d cells along this axis, so that nobody knows where tiles lie; add a tile of nulls for each"
              .formatted(name, tiles.firstKey(), tiles.lastKey(), sizes.get(0), sizes.get(1)));
    }
    return sizes.get(0);
  }

  private long total() {
    int last = numbers.length - 1;
    return starts[last] + sizes[last];
  }

  /**
   * A part of a tile that another one needs.
   *
   * @param number of the other tile
   * @param from the first cell in this tile
   * @param count the cells
   * @param to the first cell in the other tile with its surroundings
   * @param own whether it is this tile, as a whole
   */
  record Part(long number, int from, int count, int to, boolean own) {}

  /**
   * A tile with its surroundings.
   *
   * @param before the cells before it
   * @param cells all of them
   */
  record Wide(int before, int cells) {}

  /** Returns the size of a tile with its surroundings. */
  Wide wide(long number, AxisReach reach) {
    int tile = index(number);
    long first = first(tile, reach);
    return new Wide(
        (int) (starts[tile] - first), Math.toIntExact(Math.subtractExact(end(tile, reach), first)));
  }

  /**
   * Returns whether tiles reach once around the axis, so that each has all of it, once: the program
   * goes around its ends.
   */
  private boolean isWhole(AxisReach reach) {
    return reach.wraps() && Math.max(reach.low(), reach.high()) >= total();
  }

  private long first(int tile, AxisReach reach) {
    if (isWhole(reach)) {
      return 0;
    }
    long first = starts[tile] - reach.low();
    return reach.wraps() ? first : Math.max(0, first);
  }

  private long end(int tile, AxisReach reach) {
    if (isWhole(reach)) {
      return total();
    }
    long end = starts[tile] + sizes[tile] + reach.high();
    return reach.wraps() ? end : Math.min(total(), end);
  }

  private int index(long number) {
    int tile = Arrays.binarySearch(numbers, number);
    if (tile < 0) {
      throw new BadDataException(
          "a tile has the %s %d, which no tile had when they were counted; the query does not give the same rows twice: write them to a table first"
              .formatted(name, number));
    }
    return tile;
  }

  /** Returns which parts of a tile which tiles need, this one among them. */
  List<Part> parts(long number, int size, AxisReach reach) {
    int tile = index(number);
    if (size != sizes[tile]) {
      throw new BadDataException(
          "the tile whose %s is %d has %d cells along this axis, and had %d when they were counted; the query does not give the same rows twice: write them to a table first"
              .formatted(name, number, size, sizes[tile]));
    }
    List<Part> parts = new ArrayList<>();
    int times = reach.wraps() && !isWhole(reach) ? 1 : 0;
    for (int image = -times; image <= times; image++) {
      addParts(parts, tile, starts[tile] + image * total(), image == 0, reach);
    }
    return parts;
  }

  private void addParts(List<Part> parts, int tile, long start, boolean inPlace, AxisReach reach) {
    long end = start + sizes[tile];
    long least = isWhole(reach) ? 0 : Math.max(0, start - reach.high());
    int other = Arrays.binarySearch(starts, least);
    for (int i = Math.max(0, other < 0 ? -other - 2 : other); i < starts.length; i++) {
      long first = first(i, reach);
      if (first >= end) {
        return;
      }
      long from = Math.max(start, first);
      long until = Math.min(end, end(i, reach));
      if (from < until) {
        boolean own = inPlace && i == tile;
        parts.add(
            new Part(
                numbers[i], (int) (from - start), (int) (until - from), (int) (from - first), own));
      }
    }
  }
}
