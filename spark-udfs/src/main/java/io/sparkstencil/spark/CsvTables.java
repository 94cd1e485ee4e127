/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import io.sparkstencil.spark.catalyst.csv.CsvScan;
import io.sparkstencil.spark.csv.CsvTable;
import java.util.Map;
import org.apache.spark.sql.SparkSession;

/** CSV files, looked through before they are read as a table. */
public final class CsvTables {
  private CsvTables() {}

  /**
   * Looks once through the files at {@code pattern}: here, if they are small, else in a job. The
   * schema that is found spares Spark its own inference.
   *
   * @param options Spark's options of reading CSV
   * @throws io.sparkstencil.error.BadDataException if columns share a name, or a row has too many
   *     or too few fields
   */
  public static CsvTable at(SparkSession session, String pattern, Map<String, String> options) {
    return CsvScan.of(session, pattern, options);
  }
}
