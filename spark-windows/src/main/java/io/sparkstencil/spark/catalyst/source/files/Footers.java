/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import io.sparkstencil.error.ShownText;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.source.files.SplitRanges.Described;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.ThreadUtils;
import org.apache.spark.util.Utils;

/** The footers of a table's files, which say what keys a split has. They are read once for each. */
final class Footers {
  private static final System.Logger LOG = System.getLogger(Footers.class.getName());

  /** Footers that the driver reads sooner than tasks would have started. */
  private static final int SOME = 64;

  private static final int AT_A_TIME = 8;

  /** Footers that a task reads, about. */
  private static final int PER_TASK = 8;

  private final JavaSparkContext context;
  private final KeyColumn column;
  private final List<KeyColumn> ofSeries;
  private final Configuration hadoop;
  private final IdentityHashMap<PartitionedFile, Described> known = new IdentityHashMap<>();

  /**
   * Reads nothing yet.
   *
   * @param source the column whose values are compared
   * @param ofSeries the columns by which series are told apart
   */
  Footers(KeyColumn.Source source, List<KeyColumn> ofSeries) {
    SparkSession session = source.scan().session();
    this.context = JavaSparkContext.fromSparkContext(session.sparkContext());
    this.column = source.column();
    this.ofSeries = ofSeries;
    this.hadoop =
        session.sessionState().newHadoopConfWithOptions(source.scan().relation().options());
  }

  /** Returns splits with their keys. Reads the footers of some on the driver, of many as a job. */
  List<Described> describe(List<PartitionedFile> splits) {
    List<PartitionedFile> unread =
        splits.stream().filter(each -> !known.containsKey(each)).toList();
    for (Described each : unread.size() <= SOME ? readHere(unread) : readByTasks(unread)) {
      known.put(each.split(), each);
    }
    return splits.stream().map(known::get).toList();
  }

  /** Tells whether the keys of two splits are known and do not overlap. */
  boolean lieApart(PartitionedFile one, PartitionedFile other) {
    List<Described> both = describe(List.of(one, other));
    if (both.stream().anyMatch(each -> each.keys().isEmpty())) {
      return false;
    }
    KeyStatistics first = both.get(0).keys().get();
    KeyStatistics second = both.get(1).keys().get();
    return first.greatest() < second.least() || second.greatest() < first.least();
  }

  private List<Described> readHere(List<PartitionedFile> splits) {
    return ScalaInterop.list(
        ThreadUtils.parmap(
            ScalaInterop.seq(splits),
            "spark-stencil-footers",
            AT_A_TIME,
            split -> described(split, read(split, column, ofSeries, hadoop))));
  }

  private List<Described> readByTasks(List<PartitionedFile> splits) {
    Broadcast<SerializableConfiguration> settings =
        context.broadcast(new SerializableConfiguration(hadoop));
    int tasks = Math.max(context.defaultParallelism(), splits.size() / PER_TASK);
    KeyColumn compared = column;
    List<KeyColumn> others = ofSeries;
    List<Integer> numbers = IntStream.range(0, splits.size()).boxed().toList();
    // Numbers and bytes are known to Kryo also where classes have to be registered.
    List<byte[]> found =
        context
            .parallelize(numbers, Math.min(splits.size(), tasks))
            .map(
                i ->
                    Utils.serialize(
                        read(splits.get(i), compared, others, settings.value().value())))
            .collect();
    return IntStream.range(0, splits.size())
        .mapToObj(i -> described(splits.get(i), Utils.<KeyStatistics>deserialize(found.get(i))))
        .toList();
  }

  private static Described described(PartitionedFile split, KeyStatistics keys) {
    return new Described(split, Optional.ofNullable(keys));
  }

  /** Returns null if the footer does not say enough, or cannot be read: the scan will say why. */
  private static KeyStatistics read(
      PartitionedFile split, KeyColumn column, List<KeyColumn> keys, Configuration hadoop) {
    try {
      return KeyStatistics.read(split, column, keys, hadoop).orElse(null);
    } catch (IOException | RuntimeException e) {
      LOG.log(
          System.Logger.Level.DEBUG,
          () -> ShownText.printable("the footer of %s is not used: %s".formatted(split, e)));
      return null;
    }
  }
}
