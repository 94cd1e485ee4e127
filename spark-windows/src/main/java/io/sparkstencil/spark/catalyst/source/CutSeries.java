/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * A series that is cut into ranges of its order, each the work of a task. A range is cut further
 * into strips, each a partition of a shuffle: a narrow one at each end, of which neighbours read
 * what their frames reach, and a wide one between.
 *
 * @param key the values of its keys
 * @param cuts the least number, as {@link FirstOrder} has them, of every strip but the first
 * @param starts the first strip of each range
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record CutSeries(List<Object> key, long[] cuts, int[] starts) implements Serializable {
  private static final double NARROWEST = 1.0 / 32;

  /** Rows of a range for each row that a frame reaches: halos should be a small part. */
  private static final long ROWS_PER_REACH = 8;

  private static final long MOST_ROWS = 1L << 28; // of a range

  /**
   * Cuts a series.
   *
   * @param parts what there is of the series in parts of its partition
   * @param ranges how many ranges are wanted
   * @param reach how many rows frames reach
   */
  static CutSeries of(List<KeySample> parts, long ranges, int reach) {
    long rows = parts.stream().mapToLong(KeySample::rows).sum();
    long wanted = Math.max(ranges, rows / MOST_ROWS);
    long made = Math.max(1, Math.min(wanted, rows / (ROWS_PER_REACH * Math.max(1, reach))));
    // Twice the reach, as numbers of samples are not exact.
    double narrow = Math.max(NARROWEST, 2.0 * reach * made / rows);
    Quantiles quantiles = Quantiles.of(parts);
    TreeMap<Long, Boolean> cuts = new TreeMap<>(); // whether a range begins there
    for (long range = 0; range < made; range++) {
      if (range > 0) {
        cuts.put(quantiles.at((double) range / made), true);
        cuts.putIfAbsent(quantiles.at((range + narrow) / made), false);
      }
      if (range < made - 1) {
        cuts.putIfAbsent(quantiles.at((range + 1 - narrow) / made), false);
      }
    }
    cuts.headMap(quantiles.at(0), true).clear(); // hardly any row is before the least number
    List<Integer> starts = new ArrayList<>(List.of(0));
    int strip = 1;
    for (boolean begins : cuts.values()) {
      if (begins) {
        starts.add(strip);
      }
      strip++;
    }
    return new CutSeries(
        parts.get(0).key(),
        cuts.keySet().stream().mapToLong(cut -> cut).toArray(),
        starts.stream().mapToInt(start -> start).toArray());
  }

  int strips() {
    return cuts.length + 1;
  }

  int ranges() {
    return starts.length;
  }

  /** Returns the strip after the last one of a range. */
  int end(int range) {
    return range + 1 < starts.length ? starts[range + 1] : strips();
  }

  /** Returns the strip of rows with a number. */
  int strip(long number) {
    int at = Arrays.binarySearch(cuts, number);
    return at >= 0 ? at + 1 : -at - 1;
  }

  /** The numbers of samples in their order, and how many rows there are up to each. */
  private record Quantiles(long[] numbers, long[] until) {
    private record Weighted(long number, long weight) {}

    static Quantiles of(List<KeySample> parts) {
      List<Weighted> all = new ArrayList<>();
      for (KeySample part : parts) {
        for (long number : part.numbers()) {
          all.add(new Weighted(number, part.weight()));
        }
      }
      all.sort(Comparator.comparingLong(Weighted::number));
      long[] until = all.stream().mapToLong(Weighted::weight).toArray();
      Arrays.parallelPrefix(until, Long::sum);
      return new Quantiles(all.stream().mapToLong(Weighted::number).toArray(), until);
    }

    /** Returns the number before which there is about this part of all rows. */
    long at(double part) {
      long rows = (long) (part * until[until.length - 1]);
      int at = Arrays.binarySearch(until, rows);
      return numbers[Math.min(numbers.length - 1, at >= 0 ? at + 1 : -at - 1)];
    }
  }
}
