/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import io.sparkstencil.spark.catalyst.interop.ArrangedRdd;
import java.util.ArrayList;
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

  private EvenSplits() {}

  /** Returns the same rows in partitions of other splits, or {@code rdd} if that is as good. */
  public static <T> RDD<T> of(RDD<T> rdd, SQLConf conf, ClassTag<T> tag) {
    List<FilePartition> planned = FileOrder.planned(rdd).orElse(List.of());
    List<FilePartition> even =
        arranged(
            planned,
            rdd.sparkContext().defaultParallelism(),
            conf.filesOpenCostInBytes(),
            conf.filesMaxPartitionBytes());
    return even == planned ? rdd : new ArrangedRdd<>(rdd, even.toArray(new Partition[0]), tag);
  }

  /**
   * Arranges splits, unless they are well arranged.
   *
   * @param cores tasks that run at a time
   * @param openCost what it costs to open a file, in bytes
   * @param mostBytes bytes of a partition that no other has to exceed
   */
  static List<FilePartition> arranged(
      List<FilePartition> planned, int cores, long openCost, long mostBytes) {
    if (planned.isEmpty() || planned.size() > MANY_TURNS * cores) {
      return planned;
    }
    List<PartitionedFile> splits = FileOrder.splits(planned);
    long[] weights = splits.stream().mapToLong(split -> split.length() + openCost).toArray();
    long most = Math.max(mostBytes, FileOrder.heaviest(planned, openCost));
    List<FilePartition> best = planned;
    long[] before = planned.stream().mapToLong(each -> FileOrder.weight(each, openCost)).toArray();
    double least = GAIN * time(before, cores);
    int turns = planned.size() / cores;
    for (int count : new int[] {turns * cores, (turns + 1) * cores}) {
      List<Bin> bins = spread(weights, Math.min(count, splits.size()));
      if (bins.isEmpty() || bins.get(0).weight > most) {
        continue;
      }
      long time = time(bins.stream().mapToLong(bin -> bin.weight).toArray(), cores);
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
  }

  /** Spreads splits over bins, the heaviest first to the lightest; the heaviest bin comes first. */
  private static List<Bin> spread(long[] weights, int count) {
    PriorityQueue<Bin> lightest = new PriorityQueue<>(Comparator.comparingLong(bin -> bin.weight));
    List<Bin> bins = IntStream.range(0, count).mapToObj(i -> new Bin()).toList();
    lightest.addAll(bins);
    IntStream.range(0, count == 0 ? 0 : weights.length)
        .boxed()
        .sorted(Comparator.comparingLong(split -> -weights[split]))
        .forEach(
            split -> {
              Bin bin = lightest.remove();
              bin.splits.add(split);
              bin.weight += weights[split];
              lightest.add(bin);
            });
    return bins.stream().sorted(Comparator.comparingLong(bin -> -bin.weight)).toList();
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

  /** Returns when the last of tasks that start in order ends. */
  static long time(long[] weights, int cores) {
    PriorityQueue<Long> free = new PriorityQueue<>(Collections.nCopies(cores, 0L));
    long last = 0;
    for (long weight : weights) {
      long end = free.remove() + weight;
      free.add(end);
      last = Math.max(last, end);
    }
    return last;
  }
}
