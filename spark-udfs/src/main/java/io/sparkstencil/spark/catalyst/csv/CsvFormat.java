/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.csv;

import com.univocity.parsers.csv.CsvParser;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.Map;
import org.apache.spark.sql.catalyst.csv.CSVInferSchema;
import org.apache.spark.sql.catalyst.csv.CSVOptions;
import org.apache.spark.sql.execution.datasources.csv.CSVUtils$;

/**
 * How CSV is read: Spark's own parser and rules for types, made where they are needed.
 *
 * @param options Spark's options of reading CSV
 * @param timeZone the session's time zone
 */
record CsvFormat(Map<String, String> options, String timeZone) implements Serializable {
  CSVOptions parsed() {
    return new CSVOptions(ScalaInterop.map(options), false, timeZone);
  }

  CsvParser parser() {
    return new CsvParser(parsed().asParserSettings());
  }

  CSVInferSchema types() {
    return new CSVInferSchema(parsed());
  }

  /** Returns the names of columns, where {@code first} is the first row. */
  String[] names(String[] first) {
    return CSVUtils$.MODULE$.makeSafeHeader(first, false, parsed());
  }
}
