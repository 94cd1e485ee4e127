/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.MapNotes;
import io.sparkstencil.spark.catalyst.series.ColumnRouter;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.series.SeriesNumbers;
import io.sparkstencil.spark.catalyst.series.WordBatch;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sends rows of series that are cut to their strips, and others by their series. */
final class CutRouter implements ColumnRouter {
  private static final int NOT_CUT = -1;

  private final SeriesLayout layout;
  private final SeriesCuts cuts;
  private final int[] firsts;
  private final Map<List<Object>, Integer> cutSeries = new HashMap<>();
  private final FirstOrder order;
  private final int map;
  private final MapNotes.Target<StripRows> target;
  private final long[] counts; // rows of each strip
  private SeriesNumbers numbers;
  private int[] series = new int[0]; // of the rows of the batch
  private int known; // series so far
  private int[] cutAs = new int[16]; // for each series, which of the cut ones it is
  private int[] places = new int[16]; // for each other series, its partition

  /**
   * Creates the router of a map task.
   *
   * @param map the partition that the task reads
   * @param target takes the number of rows of each strip
   */
  CutRouter(SeriesLayout layout, SeriesCuts cuts, int map, MapNotes.Target<StripRows> target) {
    this.layout = layout;
    this.cuts = cuts;
    this.firsts = cuts.firsts();
    for (int i = 0; i < cuts.series().size(); i++) {
      cutSeries.put(cuts.series().get(i).key(), i);
    }
    this.numbers = new SeriesNumbers(layout);
    this.order = new FirstOrder(layout);
    this.map = map;
    this.target = target;
    this.counts = new long[cuts.strips()];
  }

  @Override
  public void route(WordBatch batch, int[] targets) {
    int rows = batch.rows();
    if (series.length < rows) {
      series = new int[rows];
    }
    if (numbers.isLarge(batch)) {
      numbers = new SeriesNumbers(layout);
      known = 0;
    }
    numbers.number(batch, series);
    learn();
    long[] keys = order.read(batch);
    for (int i = 0; i < rows; i++) {
      int cut = cutAs[series[i]];
      if (cut == NOT_CUT) {
        targets[i] = places[series[i]];
      } else {
        targets[i] = firsts[cut] + cuts.series().get(cut).strip(keys[i]);
        counts[targets[i]]++;
      }
    }
  }

  /** Finds out where the rows of new series go. */
  private void learn() {
    if (numbers.count() > cutAs.length) {
      int capacity = Math.max(numbers.count(), 2 * cutAs.length);
      cutAs = Arrays.copyOf(cutAs, capacity);
      places = Arrays.copyOf(places, capacity);
    }
    for (; known < numbers.count(); known++) {
      List<Object> key = numbers.values(known);
      cutAs[known] = cutSeries.getOrDefault(key, NOT_CUT);
      places[known] = cuts.strips() + Math.floorMod(key.hashCode(), cuts.rest());
    }
  }

  @Override
  public void finish() {
    target.add(map, StripRows.of(counts));
  }
}
