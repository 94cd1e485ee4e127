/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How partitions are cut: the strips of one series come after those of another, and after these
 * come partitions of the rows of all other series.
 *
 * @param series those that are cut
 * @param partitions those that have them
 * @param rest how many partitions there are for other series
 */
record SeriesCuts(List<CutSeries> series, BitSet partitions, int rest) implements Serializable {
  private static final int MOST_REST = 1000;

  /**
   * Finds series that are worth cutting.
   *
   * @param parts what parts of partitions have
   * @param bytes of each partition
   * @param rangeBytes about how many bytes a range is to have
   * @param cores how many tasks run at a time
   * @param reach how many rows frames reach
   */
  static SeriesCuts of(
      List<KeySample.Part> parts, long[] bytes, long rangeBytes, int cores, int reach) {
    Map<Integer, Long> rows = new LinkedHashMap<>(); // by partition
    Map<Integer, Map<List<Object>, List<KeySample>>> samples = new LinkedHashMap<>();
    for (KeySample.Part part : parts) {
      rows.merge(part.partition(), part.rows(), Long::sum);
      part.longest()
          .forEach(
              each ->
                  samples
                      .computeIfAbsent(part.partition(), p -> new LinkedHashMap<>())
                      .computeIfAbsent(each.key(), key -> new ArrayList<>())
                      .add(each));
    }
    List<CutSeries> cut = new ArrayList<>();
    BitSet partitions = new BitSet();
    double restBytes = 0;
    for (Map.Entry<Integer, Map<List<Object>, List<KeySample>>> each : samples.entrySet()) {
      int partition = each.getKey();
      double rowBytes = (double) bytes[partition] / Math.max(1, rows.get(partition));
      double left = bytes[partition];
      for (List<KeySample> of : each.getValue().values()) {
        double seriesBytes = rowBytes * of.stream().mapToLong(KeySample::rows).sum();
        boolean sampled = of.stream().anyMatch(sample -> sample.numbers().length > 0);
        if (!sampled || seriesBytes < 2.0 * rangeBytes) {
          continue;
        }
        CutSeries made = CutSeries.of(of, ranges(seriesBytes / rangeBytes, cores), reach);
        if (made.ranges() > 1) {
          cut.add(made);
          partitions.set(partition);
          left -= seriesBytes;
        }
      }
      restBytes += partitions.get(partition) ? left : 0;
    }
    int rest = (int) Math.min(MOST_REST, 1 + 2 * Math.ceil(restBytes / rangeBytes));
    return new SeriesCuts(cut, partitions, rest);
  }

  /** Returns how many ranges to cut a series into: for many, all cores get as many. */
  private static long ranges(double wanted, int cores) {
    long least = (long) Math.ceil(wanted);
    return 2 * least < cores ? least : (least + cores - 1) / cores * cores;
  }

  /** Returns the first strip of each series. */
  int[] firsts() {
    int[] firsts = new int[series.size()];
    for (int i = 1; i < firsts.length; i++) {
      firsts[i] = firsts[i - 1] + series.get(i - 1).strips();
    }
    return firsts;
  }

  /** Returns the number of all strips. */
  int strips() {
    return series.stream().mapToInt(CutSeries::strips).sum();
  }

  /** Returns the number of partitions of the shuffle. */
  int all() {
    return strips() + rest;
  }
}
