/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.inputs;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
    splits.sort(
        Comparator.comparing(
                (PartitionedFile file) -> file.filePath().toString(), FileOrder::natural)
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

  /** Compares names so that {@code part-9} comes before {@code part-10}. */
  static int natural(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() && j < b.length()) {
      if (isDigit(a.charAt(i)) && isDigit(b.charAt(j))) {
        int endA = endOfNumber(a, i);
        int endB = endOfNumber(b, j);
        String numberA = stripZeros(a.substring(i, endA));
        String numberB = stripZeros(b.substring(j, endB));
        int order = Integer.compare(numberA.length(), numberB.length());
        order = order != 0 ? order : numberA.compareTo(numberB);
        if (order != 0) {
          return order;
        }
        i = endA;
        j = endB;
      } else if (a.charAt(i) != b.charAt(j)) {
        return Character.compare(a.charAt(i), b.charAt(j));
      } else {
        i++;
        j++;
      }
    }
    int rest = Integer.compare(a.length() - i, b.length() - j);
    return rest != 0 ? rest : a.compareTo(b);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static int endOfNumber(String text, int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static String stripZeros(String digits) {
    int from = 0;
    while (from < digits.length() - 1 && digits.charAt(from) == '0') {
      from++;
    }
    return digits.substring(from);
  }
}
