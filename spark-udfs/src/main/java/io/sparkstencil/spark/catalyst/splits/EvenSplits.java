/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.splits;

import io.sparkstencil.spark.catalyst.interop.ArrangedRdd;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.apache.spark.Partition;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.internal.SQLConf;
import scala.reflect.ClassTag;

/**
 * The splits of files in partitions that keep all cores busy until the end. Spark fills partitions
 * one after the other: 19 of them, say, for 16 cores, three of which then read another while all
 * others wait. What comes of it is the same, as a shuffle follows.
 */
public final class EvenSplits {
  /** Share of the time from which other partitions are worth it. */
  private static final double GAIN = 0.9;

  /** Turns of all cores from which on no one waits for long. */
  private static final int MANY_TURNS = 8;

  /** Bytes, with those for opening files, that are worth a task: a tenth of a second. */
  private static final long LEAST_BYTES = 16L << 20;

  private EvenSplits() {}

  /** Returns the same rows in partitions of other splits, or {@code rdd} if that is as good. */
  public static <T> RDD<T> of(RDD<T> rdd, SQLConf conf, ClassTag<T> tag) {
    List<FilePartition> planned = FileOrder.planned(rdd).orElse(List.of());
    List<FilePartition> even =
        arranged(
            planned,
            rdd.sparkContext().defaultParallelism(),
            conf.filesOpenCostInBytes(),
            LEAST_BYTES,
            conf.filesMaxPartitionBytes());
    return even == planned ? rdd : new ArrangedRdd<>(rdd, even.toArray(new Partition[0]), tag);
  }

  /**
   * Arranges splits, unless they are well arranged.
   *
   * @param cores tasks that run at a time
   * @param openCost what it costs to open a file, in bytes
   * @param leastBytes bytes that are worth a task
   * @param mostBytes bytes of a partition that no other has to exceed
   */
  static List<FilePartition> arranged(
      List<FilePartition> planned, int cores, long openCost, long leastBytes, long mostBytes) {
    if (planned.isEmpty() || planned.size() > MANY_TURNS * cores) {
      return planned;
    }
    List<PartitionedFile> splits =
        planned.stream().flatMap(each -> Arrays.stream(each.files())).toList();
    long[] weights = splits.stream().mapToLong(split -> split.length() + openCost).toArray();
    long most = Math.max(mostBytes, FileOrder.heaviest(planned, openCost));
    List<FilePartition> best = planned;
    long[] before = planned.stream().mapToLong(each -> FileOrder.weight(each, openCost)).toArray();
    double least = GAIN * time(before, cores);
    int turns = planned.size() / cores;
    for (List<Bin> bins :
        List.of(
            spread(weights, Math.min(turns * cores, splits.size())),
            spread(weights, Math.min((turns + 1) * cores, splits.size())),
            taper(weights, cores, leastBytes, most))) {
      if (bins.isEmpty() || bins.get(0).weight > most) {
        continue;
      }
      double time = time(bins.stream().mapToLong(bin -> bin.weight).toArray(), cores);
      if (time < least) {
        least = time;
        best = partitions(bins, splits);
      }
    }
    return best;
  }

  /** What goes to one partition. */
  private static final class Bin {
    private final List<Integer> splits = new ArrayList<>();
    private long weight;

    private void add(int split, long its) {
      splits.add(split);
      weight += its;
    }
  }

  /** Spreads splits over bins, the heaviest first to the lightest; the heaviest bin comes first. */
  private static List<Bin> spread(long[] weights, int count) {
    PriorityQueue<Bin> lightest = new PriorityQueue<>(Comparator.comparingLong(bin -> bin.weight));
    List<Bin> bins = IntStream.range(0, count).mapToObj(i -> new Bin()).toList();
    lightest.addAll(bins);
    for (int split : count == 0 ? List.<Integer>of() : heaviestFirst(weights)) {
      Bin bin = lightest.remove();
      bin.add(split, weights[split]);
      lightest.add(bin);
    }
    return bins.stream().sorted(Comparator.comparingLong(bin -> -bin.weight)).toList();
  }

  /**
   * Joins splits, the heaviest first, to bins of which each is a fair share of half of what is
   * left, so that the last ones are light.
   */
  private static List<Bin> taper(long[] weights, int cores, long least, long most) {
    List<Bin> bins = new ArrayList<>();
    long left = Arrays.stream(weights).sum();
    Bin open = new Bin();
    for (int split : heaviestFirst(weights)) {
      long weight = weights[split];
      long target = Math.max(least, left / (2L * cores));
      boolean full = open.weight + weight / 2 > target || open.weight + weight > most;
      if (full && !open.splits.isEmpty()) {
        left -= open.weight;
        bins.add(open);
        open = new Bin();
      }
      open.add(split, weight);
    }
    bins.add(open);
    return bins;
  }

  private static List<Integer> heaviestFirst(long[] weights) {
    return IntStream.range(0, weights.length)
        .boxed()
        .sorted(Comparator.comparingLong(split -> -weights[split]))
        .toList();
  }

  /** Returns partitions whose splits are in the order in which they were planned. */
  private static List<FilePartition> partitions(List<Bin> bins, List<PartitionedFile> splits) {
    return IntStream.range(0, bins.size())
        .mapToObj(
            i -> {
              List<Integer> own = bins.get(i).splits;
              Collections.sort(own);
              return new FilePartition(
                  i, own.stream().map(splits::get).toArray(PartitionedFile[]::new));
            })
        .toList();
  }

  /**
   * Returns when the last of tasks that start in order probably ends. None takes exactly as long as
   * its weight says, so that cores wait for half of a late one on average.
   */
  private static double time(long[] weights, int cores) {
    PriorityQueue<Long> free = new PriorityQueue<>(Collections.nCopies(cores, 0L));
    long last = 0;
    for (long weight : weights) {
      long end = free.remove() + weight;
      free.add(end);
      last = Math.max(last, end);
    }
    int late = Math.max(0, weights.length - cores);
    return last + Arrays.stream(weights, late, weights.length).average().orElse(0) / 2;
  }
}
