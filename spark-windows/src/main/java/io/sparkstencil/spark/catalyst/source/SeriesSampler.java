/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.series.SeriesNumbers;
import io.sparkstencil.spark.catalyst.series.WordBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import scala.collection.Iterator;

/** Counts the rows of each series in a part of a partition, and takes samples of them. */
final class SeriesSampler {
  /** Series that are told of. A partition with more long ones than that is even enough. */
  private static final int MOST_SERIES = 16;

  private final SeriesLayout layout;
  private final WordBatch batch;
  private final FirstOrder order;
  private SeriesNumbers numbers;
  private int[] series = new int[0]; // of the rows of the batch
  private long[] rows = new long[16]; // of each series
  private final long[] samples;
  private final int[] sampledSeries;
  private int count; // of samples
  private int step = 1; // rows from one sample to the next
  private int skipped; // rows since the last sample
  private long all; // rows

  /**
   * Creates a sampler.
   *
   * @param most samples are taken, two at least
   */
  SeriesSampler(SeriesLayout layout, int most) {
    this.layout = layout;
    this.samples = new long[most];
    this.sampledSeries = new int[most];
    this.batch = new WordBatch(layout);
    this.numbers = new SeriesNumbers(layout);
    this.order = new FirstOrder(layout);
  }

  /** Reads shuffled batches; of very many series, what they have comes in several parts. */
  List<KeySample.Part> read(int partition, Iterator<InternalRow> batches) {
    List<KeySample.Part> parts = new ArrayList<>();
    while (batches.hasNext()) {
      batch.read((UnsafeRow) batches.next());
      if (numbers.isLarge(batch)) {
        parts.add(new KeySample.Part(partition, all, longest()));
        restart();
      }
      add();
    }
    parts.add(new KeySample.Part(partition, all, longest()));
    return parts;
  }

  private void restart() {
    numbers = new SeriesNumbers(layout);
    rows = new long[16];
    count = 0;
    step = 1;
    skipped = 0;
    all = 0;
  }

  private void add() {
    int added = batch.rows();
    if (series.length < added) {
      series = new int[added];
    }
    numbers.number(batch, series);
    if (rows.length < numbers.count()) {
      rows = Arrays.copyOf(rows, Math.max(numbers.count(), 2 * rows.length));
    }
    long[] keys = order.read(batch);
    for (int i = 0; i < added; i++) {
      rows[series[i]]++;
      if (++skipped >= step) {
        skipped = 0;
        sample(series[i], keys[i]);
      }
    }
    all += added;
  }

  private void sample(int of, long number) {
    if (count == samples.length) {
      count = samples.length / 2;
      for (int i = 0; i < count; i++) {
        samples[i] = samples[2 * i + 1];
        sampledSeries[i] = sampledSeries[2 * i + 1];
      }
      step *= 2;
    }
    sampledSeries[count] = of;
    samples[count++] = number;
  }

  private List<KeySample> longest() {
    List<KeySample> found = new ArrayList<>();
    IntStream.range(0, numbers.count())
        .boxed()
        .sorted(Comparator.comparingLong((Integer each) -> rows[each]).reversed())
        .limit(MOST_SERIES)
        .forEach(each -> found.add(sampleOf(each)));
    return found;
  }

  private KeySample sampleOf(int number) {
    long[] of =
        IntStream.range(0, count)
            .filter(i -> sampledSeries[i] == number)
            .mapToLong(i -> samples[i])
            .toArray();
    return new KeySample(numbers.values(number), rows[number], of, step);
  }
}
