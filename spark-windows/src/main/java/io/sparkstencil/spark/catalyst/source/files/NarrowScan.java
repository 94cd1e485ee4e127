/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.csv.CSVFileFormat;
import org.apache.spark.sql.execution.datasources.json.JsonFileFormat;
import org.apache.spark.sql.execution.datasources.orc.OrcFileFormat;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Scans of files that read fewer columns. Only of formats that are known to need no others: formats
 * of tables that are built on these read columns for themselves, such as the places of rows, by
 * which they leave out deleted ones.
 */
public final class NarrowScan {
  private static final String CORRUPT_RECORD = "columnNameOfCorruptRecord";
  private static final String MODE = "mode";
  private static final String DROP = "DROPMALFORMED";

  private NarrowScan() {}

  /** Returns the scan without unwanted columns, or null if the plan is no scan that is known. */
  public static FileSourceScanExec of(SparkPlan plan, Predicate<Attribute> wanted) {
    boolean isScan = plan.getClass() == FileSourceScanExec.class; // nothing that adds to it
    return isScan && isKnown((FileSourceScanExec) plan)
        ? narrowed((FileSourceScanExec) plan, wanted)
        : null;
  }

  private static boolean isKnown(FileSourceScanExec scan) {
    Class<? extends FileFormat> format = scan.relation().fileFormat().getClass();
    boolean isText = format == CSVFileFormat.class || format == JsonFileFormat.class;
    return format == ParquetFileFormat.class
        || format == OrcFileFormat.class
        || (isText && !hasCorruptRecords(scan) && !dropsLines(scan));
  }

  /**
   * Tells whether a column has the lines that cannot be read. Which these are depends on the other
   * columns that are read, and it cannot be read alone.
   */
  private static boolean hasCorruptRecords(FileSourceScanExec scan) {
    String name =
        option(scan, CORRUPT_RECORD).orElseGet(() -> scan.conf().columnNameOfCorruptRecord());
    return Stream.of(scan.requiredSchema().fieldNames()).anyMatch(name::equalsIgnoreCase);
  }

  /**
   * Tells whether lines that cannot be read are left out: which these are depends on columns too.
   */
  private static boolean dropsLines(FileSourceScanExec scan) {
    return option(scan, MODE).map(DROP::equalsIgnoreCase).orElse(false);
  }

  private static Optional<String> option(FileSourceScanExec scan, String name) {
    return CollectionConverters.asJava(scan.relation().options()).entrySet().stream()
        .filter(option -> option.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /** The columns of a file come first, those of its path after them. */
  private static FileSourceScanExec narrowed(FileSourceScanExec scan, Predicate<Attribute> wanted) {
    List<Attribute> output = ScalaInterop.list(scan.output());
    StructField[] fields = scan.requiredSchema().fields();
    List<Attribute> kept = new ArrayList<>();
    List<StructField> read = new ArrayList<>();
    for (int i = 0; i < output.size(); i++) {
      if (i >= fields.length || wanted.test(output.get(i))) {
        kept.add(output.get(i));
        if (i < fields.length) {
          read.add(fields[i]);
        }
      }
    }
    return scan.copy(
        scan.relation(),
        scan.stream(),
        ScalaInterop.seq(kept),
        new StructType(read.toArray(StructField[]::new)),
        scan.partitionFilters(),
        scan.optionalBucketSet(),
        scan.optionalNumCoalescedBuckets(),
        scan.dataFilters(),
        scan.tableIdentifier(),
        scan.disableBucketedScan());
  }
}
