/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.interop.GroupTask;
import io.sparkstencil.spark.catalyst.interop.GroupedRdd;
import io.sparkstencil.spark.catalyst.interop.MapNotes;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.interop.TaskFindings;
import io.sparkstencil.spark.catalyst.series.ColumnShuffle;
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
import scala.jdk.javaapi.CollectionConverters;
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

  /**
   * Ranges of all series together, roughly: each map task has a batch open for every strip, and
   * tells the driver how many rows it has.
   */
  private static final int MOST_RANGES = 1000;

  /** Bytes that a task is to read of a skewed partition at most, where map tasks are enough. */
  private static final long SLICE_BYTES = 64L << 20;

  /** Samples of a slice, and of all slices together, which the driver holds. */
  private static final int MOST_SAMPLES = 1 << 14;

  private static final int LEAST_SAMPLES = 1 << 7;
  private static final int ALL_SAMPLES = 1 << 21;

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
    if (skewed.length == 0 || !layout.isOrderedByNumbers()) {
      return null;
    }
    long share = output.allBytes() / Math.max(1, 2L * cores);
    long wanted = Math.min(rangeBytes, Math.max(share, Math.min(least, 1L << 20)));
    long each = Math.max(wanted, leastRange(sum(output.bytes(), skewed), cores));
    List<Slice> slices = slices(output.bytes(), skewed, output.maps(), cores);
    SeriesCuts cuts =
        SeriesCuts.of(sample(output, slices, layout), output.bytes(), each, cores, reach);
    if (cuts.series().isEmpty()) {
      return null;
    }
    slices.removeIf(slice -> !cuts.partitions().get(slice.partition()));
    MapNotes<StripRows> notes = new MapNotes<>(output.context());
    MapNotes.Target<StripRows> target = notes.target();
    MapOutput strips =
        MapOutput.run(
            output.context(),
            ColumnShuffle.again(
                read(output, slices),
                map -> new CutRouter(layout, cuts, map, target),
                layout,
                cuts.all()),
            output.layout());
    long[] rows = new long[cuts.strips()];
    notes.all().forEach(ofMap -> ofMap.addTo(rows));
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

  /** Returns bytes of a range of which there are not too many. */
  static long leastRange(long skewedBytes, int cores) {
    return Math.max(1, skewedBytes / Math.max(MOST_RANGES, 2L * cores));
  }

  /** Returns how many samples to take of each slice. */
  static int samples(int slices) {
    return Math.max(LEAST_SAMPLES, Math.min(MOST_SAMPLES, ALL_SAMPLES / slices));
  }

  private static long sum(long[] bytes, int[] partitions) {
    return Arrays.stream(partitions).mapToLong(i -> bytes[i]).sum();
  }

  /** What some map tasks have written for a partition. */
  record Slice(int partition, int from, int until, long bytes) {
    ShufflePartitionSpec spec() {
      return new PartialReducerPartitionSpec(partition, from, until, bytes);
    }
  }

  /**
   * Cuts partitions into slices, of which all cores get as much if there are map tasks enough.
   *
   * @param bytes of all partitions
   */
  static List<Slice> slices(long[] bytes, int[] partitions, int maps, int cores) {
    long most = Math.max(1, Math.min(SLICE_BYTES, ceil(sum(bytes, partitions), 2L * cores)));
    List<Slice> made = new ArrayList<>();
    for (int partition : partitions) {
      int slices = (int) Math.max(1, Math.min(maps, ceil(bytes[partition], most)));
      for (int i = 0; i < slices; i++) {
        int from = (int) ((long) maps * i / slices);
        int until = (int) ((long) maps * (i + 1) / slices);
        made.add(new Slice(partition, from, until, bytes[partition] / slices));
      }
    }
    return made;
  }

  private static long ceil(long bytes, long by) {
    return (bytes + by - 1) / by;
  }

  private static RDD<InternalRow> read(MapOutput output, List<Slice> slices) {
    return output.read(slices.stream().map(Slice::spec).toArray(ShufflePartitionSpec[]::new));
  }

  private static List<KeySample.Part> sample(
      MapOutput output, List<Slice> slices, SeriesLayout layout) {
    int[] partitions = slices.stream().mapToInt(Slice::partition).toArray();
    int most = samples(slices.size());
    PartitionEvaluatorFactory<InternalRow, KeySample.Part> sampling =
        () ->
            (index, inputs) -> {
              SeriesSampler sampler = new SeriesSampler(layout, most);
              return CollectionConverters.asScala(
                  sampler.read(partitions[index], inputs.apply(0)).iterator());
            };
    return TaskFindings.of(
        read(output, slices)
            .mapPartitionsWithEvaluator(sampling, ScalaInterop.tag(KeySample.Part.class)));
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
  public <U> RDD<U> ranges(GroupTask<InternalRow, RowSpan, U> work, ClassTag<U> tag) {
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
