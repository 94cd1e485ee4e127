/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.csv;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.types.StructType;

/**
 * What CSV files hold.
 *
 * @param schema names and types of columns, as Spark infers them
 * @param rows the number of rows
 * @param inexact the columns of double with a number that double cannot hold, as it is written
 * @param empty the columns without any value, whose type is string
 * @param undecodable whether there are bytes that are no characters in the encoding
 */
public record CsvTable(
    StructType schema,
    long rows,
    Map<String, String> inexact,
    Set<String> empty,
    boolean undecodable) {
  /** Copies the collections, in their order. */
  public CsvTable {
    inexact = Collections.unmodifiableMap(new LinkedHashMap<>(inexact));
    empty = Set.copyOf(empty);
  }
}
