/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * CSV files looked through before they are read as a table: a {@code CsvScan} goes through the rows
 * of {@code CsvFiles}, which a {@code CsvFormat} parses, and adds up {@code CsvFindings}.
 */
package io.sparkstencil.spark.catalyst.csv;
