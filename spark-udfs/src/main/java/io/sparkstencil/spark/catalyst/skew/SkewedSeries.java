/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.skew;

import io.sparkstencil.spark.catalyst.interop.Collected;
import io.sparkstencil.spark.catalyst.interop.GroupedRdd;
import io.sparkstencil.spark.catalyst.interop.MapNotes;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.series.ColumnShuffle;
import io.sparkstencil.spark.catalyst.series.RowSpan;
import io.sparkstencil.spark.catalyst.series.SeriesLayout;
import io.sparkstencil.spark.catalyst.shuffle.MapOutput;
import io.sparkstencil.spark.catalyst.shuffle.ShuffledUnits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.PartitionEvaluatorFactory;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.CoalescedPartitionSpec;
import org.apache.spark.sql.execution.PartialReducerPartitionSpec;
import org.apache.spark.sql.execution.ShufflePartitionSpec;
import org.apache.spark.sql.internal.SQLConf;
import scala.reflect.ClassTag;

/**
 * Cuts long series of a shuffle into ranges of their order:
 *
 * <pre>
 *   skewed partitions -> [sample] long series, and where to cut them
 *                     -> [shuffle] strips of these, and other series, whole
 *                     -> [collect, compute] a range and the strips beside it in each task
 * </pre>
 *
 * <p>Two tasks may read a strip, so that rows that tie are to have an order of their own: {@link
 * SeriesLayout#breakingTies}.
 */
public final class SkewedSeries {
  /** How many times its fair share of a core's work makes a partition skewed. */
  private static final int SHARES = 2;

  /** How many times the option's bytes make a partition too large for one task in any case. */
  private static final long TOO_LARGE = 8;

  private final MapOutput strips;
  private final SeriesCuts cuts;
  private final long[] rows; // of each strip
  private final int reach;

  private SkewedSeries(MapOutput strips, SeriesCuts cuts, long[] rows, int reach) {
    this.strips = strips;
    this.cuts = cuts;
    this.rows = rows;
    this.reach = reach;
  }

  /**
   * Shuffles the rows of skewed partitions again; returns null if there are none with series to be
   * cut.
   *
   * @param output the shuffle by keys
   * @param reach how many rows frames reach
   * @param least bytes of a partition that may be skewed
   * @param rangeBytes about how many bytes a range is to have at most
   */
  public static SkewedSeries cut(
      MapOutput output, SeriesLayout layout, int reach, long least, long rangeBytes) {
    int cores = output.context().defaultParallelism();
    int[] skewed = skewed(output.bytes(), cores, least);
    if (skewed.length == 0 || layout.order().isEmpty()) {
      return null;
    }
    long share = output.allBytes() / Math.max(1, 2L * cores);
    long each = Math.max(1, Math.min(rangeBytes, Math.max(share, Math.min(least, 1L << 20))));
    List<Slice> slices = slices(output, skewed, cores);
    SeriesCuts cuts =
        SeriesCuts.of(sample(output, slices, layout), output.bytes(), each, cores, reach);
    if (cuts.series().isEmpty()) {
      return null;
    }
    slices.removeIf(slice -> !cuts.partitions().get(slice.partition()));
    MapNotes<long[]> counts = new MapNotes<>(output.context());
    MapNotes.Target<long[]> target = counts.target();
    MapOutput strips =
        MapOutput.run(
            output.context(),
            ColumnShuffle.again(
                read(output, slices),
                map -> new CutRouter(layout, cuts, map, target),
                layout,
                cuts.all()),
            output.layout());
    long[] rows = new long[cuts.all()];
    for (long[] ofMap : counts.all()) {
      Arrays.setAll(rows, i -> rows[i] + ofMap[i]);
    }
    return new SkewedSeries(strips, cuts, rows, reach);
  }

  /** Returns the partitions that are much larger than a fair share of them all. */
  static int[] skewed(long[] bytes, int cores, long least) {
    long share = Arrays.stream(bytes).sum() / Math.max(1, cores);
    return IntStream.range(0, bytes.length)
        .filter(i -> bytes[i] >= least)
        .filter(i -> bytes[i] > SHARES * share || bytes[i] / TOO_LARGE >= least)
        .toArray();
  }

  /** What some map tasks have written for a partition. */
  private record Slice(int partition, int from, int until, long bytes) {
    ShufflePartitionSpec spec() {
      return new PartialReducerPartitionSpec(partition, from, until, bytes);
    }
  }

  private static List<Slice> slices(MapOutput output, int[] partitions, int cores) {
    int maps = output.maps();
    int slices = Math.min(maps, 2 * cores);
    List<Slice> made = new ArrayList<>();
    for (int partition : partitions) {
      long bytes = output.bytes()[partition] / slices;
      for (int i = 0; i < slices; i++) {
        int from = (int) ((long) maps * i / slices);
        made.add(new Slice(partition, from, (int) ((long) maps * (i + 1) / slices), bytes));
      }
    }
    return made;
  }

  private static RDD<InternalRow> read(MapOutput output, List<Slice> slices) {
    return output.read(slices.stream().map(Slice::spec).toArray(ShufflePartitionSpec[]::new));
  }

  private static List<SeriesSample.Part> sample(
      MapOutput output, List<Slice> slices, SeriesLayout layout) {
    int[] partitions = slices.stream().mapToInt(Slice::partition).toArray();
    PartitionEvaluatorFactory<InternalRow, SeriesSample.Part> sampling =
        () ->
            (index, inputs) -> {
              SeriesSampler sampler = new SeriesSampler(layout);
              return ScalaInterop.seqOf(sampler.read(partitions[index], inputs.apply(0)))
                  .iterator();
            };
    return Collected.of(
        read(output, slices)
            .mapPartitionsWithEvaluator(sampling, ScalaInterop.tag(SeriesSample.Part.class)));
  }

  /** Returns the partitions of the shuffle by keys whose rows are here. */
  public BitSet partitions() {
    return cuts.partitions();
  }

  /** Returns the number of series that are cut. */
  public int count() {
    return cuts.series().size();
  }

  /** Returns the bytes that were shuffled again. */
  public long bytes() {
    return strips.allBytes();
  }

  /** Returns what tasks make of ranges, the batches of which they get in no order. */
  public <U> RDD<U> ranges(GroupedRdd.Work<InternalRow, RowSpan, U> work, ClassTag<U> tag) {
    int[] firsts = cuts.firsts();
    ShufflePartitionSpec[] each =
        IntStream.range(0, cuts.strips())
            .mapToObj(i -> new CoalescedPartitionSpec(i, i + 1, scala.Option.<Object>apply(0L)))
            .toArray(ShufflePartitionSpec[]::new);
    List<int[]> runs = new ArrayList<>();
    List<RowSpan> spans = new ArrayList<>();
    for (int i = 0; i < cuts.series().size(); i++) {
      CutSeries series = cuts.series().get(i);
      for (int range = 0; range < series.ranges(); range++) {
        add(series, firsts[i], range, runs, spans);
      }
    }
    return new GroupedRdd<>(strips.read(each), runs.toArray(int[][]::new), spans, work, tag);
  }

  /** Adds the strips that the task of a range reads, and what of them is its own. */
  private void add(CutSeries series, int first, int range, List<int[]> runs, List<RowSpan> spans) {
    int from = first + series.starts()[range];
    int until = first + series.end(range);
    long own = rowsOf(from, until);
    if (own == 0) {
      return;
    }
    int before = from;
    while (before > first && rowsOf(before, from) < reach) {
      before--;
    }
    int after = until;
    while (after < first + series.strips() && rowsOf(until, after) < reach) {
      after++;
    }
    runs.add(new int[] {before, after});
    spans.add(new RowSpan(rowsOf(before, from), own, rowsOf(until, after)));
  }

  private long rowsOf(int from, int until) {
    return Arrays.stream(rows, from, until).sum();
  }

  /** Returns the other series of the same partitions, which are whole. */
  public ShuffledUnits others(SQLConf conf, long groupBytes) {
    BitSet ofRanges = new BitSet();
    ofRanges.set(0, cuts.strips());
    return ShuffledUnits.of(strips, conf, ofRanges, groupBytes, groupBytes);
  }
}
