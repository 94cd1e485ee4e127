/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.Dependency;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.rdd.MapPartitionsRDD;
import org.apache.spark.rdd.MapPartitionsWithEvaluatorRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.execution.datasources.FilePartition;
import org.apache.spark.sql.execution.datasources.FileScanRDD;
import org.apache.spark.sql.execution.datasources.PartitionedFile;

/**
 * The partitions of an input that was declared ordered, in the order of its rows.
 *
 * <p>Spark packs splits of files into partitions by size, so that neighbours in a partition are not
 * neighbours in the data. Here files come in the order of their paths (numbers within names count
 * as numbers), splits of a file by their offsets, and partitions hold consecutive splits. Inputs
 * that are not files keep the order of their partitions.
 */
public final class FileOrder {
  private static final Pattern NUMBER = Pattern.compile("0*([0-9]+)");

  private FileOrder() {}

  /** Returns the partitions that {@code rdd} is to compute, in order. */
  public static Partition[] arrange(RDD<?> rdd) {
    return planned(rdd).map(FileOrder::pack).orElseGet(rdd::partitions);
  }

  /** Returns the partitions of the files that rows are read from, one for each of {@code rdd}. */
  static Optional<List<FilePartition>> planned(RDD<?> rdd) {
    RDD<?> source = rdd;
    while (source instanceof MapPartitionsRDD || source instanceof MapPartitionsWithEvaluatorRDD) {
      if (source.getStorageLevel().isValid()) {
        return Optional.empty(); // a cache knows partitions by their numbers alone
      }
      List<Dependency<?>> dependencies = ScalaInterop.list(source.dependencies());
      if (dependencies.size() != 1 || !(dependencies.get(0) instanceof OneToOneDependency)) {
        return Optional.empty();
      }
      source = dependencies.get(0).rdd();
    }
    return source instanceof FileScanRDD files
        ? Optional.of(ScalaInterop.list(files.filePartitions()))
        : Optional.empty();
  }

  /** Returns the splits of partitions, one partition after the other. */
  static List<PartitionedFile> splits(List<FilePartition> partitions) {
    return partitions.stream().flatMap(each -> Stream.of(each.files())).toList();
  }

  static Partition[] pack(List<FilePartition> planned) {
    List<PartitionedFile> splits = new ArrayList<>(splits(planned));
    Map<String, String> names = new HashMap<>();
    splits.sort(
        Comparator.comparing(
                (PartitionedFile file) ->
                    names.computeIfAbsent(file.filePath().toString(), FileOrder::natural))
            .thenComparing(file -> file.filePath().toString())
            .thenComparingLong(PartitionedFile::start));
    return packed(
        splits.stream().map(each -> new Group(List.of(each), each.length())).toList(),
        heaviest(planned, 0));
  }

  /**
   * Splits that stay together.
   *
   * @param splits the splits
   * @param weight what it costs to read them, in bytes
   */
  record Group(List<PartitionedFile> splits, long weight) {}

  /**
   * Returns what it costs to read the heaviest partition, as Spark reckons.
   *
   * @param openCost what it costs to open a file, in bytes
   */
  static long heaviest(List<FilePartition> planned, long openCost) {
    return planned.stream().mapToLong(each -> weight(each, openCost)).max().orElse(0);
  }

  /** Returns what it costs to read a partition. */
  static long weight(FilePartition partition, long openCost) {
    return Stream.of(partition.files()).mapToLong(split -> split.length() + openCost).sum();
  }

  /**
   * Packs consecutive groups into partitions.
   *
   * @param most the weight that a partition of several groups must not exceed
   */
  static Partition[] packed(List<Group> groups, long most) {
    List<Partition> packed = new ArrayList<>();
    List<PartitionedFile> open = new ArrayList<>();
    long weight = 0;
    for (Group group : groups) {
      if (!open.isEmpty() && weight + group.weight() > most) {
        packed.add(new FilePartition(packed.size(), open.toArray(PartitionedFile[]::new)));
        open.clear();
        weight = 0;
      }
      open.addAll(group.splits());
      weight += group.weight();
    }
    if (!open.isEmpty()) {
      packed.add(new FilePartition(packed.size(), open.toArray(PartitionedFile[]::new)));
    }
    return packed.toArray(Partition[]::new);
  }

  /** Returns what names are compared by so that {@code part-9} comes before {@code part-10}. */
  static String natural(String name) {
    // A number without leading zeros is as large as it is long, and then as its digits.
    return NUMBER
        .matcher(name)
        .replaceAll(
            number -> {
              String digits = number.group(1);
              return Matcher.quoteReplacement("0" + (char) digits.length() + digits);
            });
  }
}
