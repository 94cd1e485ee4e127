/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
final class FileOrder {
  private static final Pattern NUMBER = Pattern.compile("0*([0-9]+)");

  private FileOrder() {}

  /** Returns the partitions that {@code rdd} is to compute, in order. */
  static Partition[] arrange(RDD<?> rdd) {
    RDD<?> source = rdd;
    while (source instanceof MapPartitionsRDD || source instanceof MapPartitionsWithEvaluatorRDD) {
      List<Dependency<?>> dependencies = ScalaInterop.list(source.dependencies());
      if (dependencies.size() != 1 || !(dependencies.get(0) instanceof OneToOneDependency)) {
        return rdd.partitions();
      }
      source = dependencies.get(0).rdd();
    }
    if (!(source instanceof FileScanRDD files)) {
      return rdd.partitions();
    }
    return pack(ScalaInterop.list(files.filePartitions()));
  }

  static Partition[] pack(List<FilePartition> planned) {
    List<PartitionedFile> splits = new ArrayList<>();
    long mostBytes = 0;
    for (FilePartition partition : planned) {
      long bytes = 0;
      for (PartitionedFile file : partition.files()) {
        splits.add(file);
        bytes += file.length();
      }
      mostBytes = Math.max(mostBytes, bytes);
    }
    Map<String, String> names = new HashMap<>();
    splits.sort(
        Comparator.comparing(
                (PartitionedFile file) ->
                    names.computeIfAbsent(file.filePath().toString(), FileOrder::natural))
            .thenComparing(file -> file.filePath().toString())
            .thenComparingLong(PartitionedFile::start));
    List<Partition> packed = new ArrayList<>();
    List<PartitionedFile> open = new ArrayList<>();
    long openBytes = 0;
    for (PartitionedFile split : splits) {
      if (!open.isEmpty() && openBytes + split.length() > mostBytes) {
        packed.add(new FilePartition(packed.size(), open.toArray(PartitionedFile[]::new)));
        open.clear();
        openBytes = 0;
      }
      open.add(split);
      openBytes += split.length();
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
