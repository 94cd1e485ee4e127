/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.csv;

import io.sparkstencil.spark.csv.CsvTable;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.csv.CSVInferSchema;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** What is found in some rows of CSV. */
@SuppressWarnings("serial") // arrays of Spark's types, which are serializable
final class CsvFindings implements Serializable {
  /** Any decimal number of so many characters comes out of a double as it went in. */
  private static final int EXACT_CHARACTERS = 15;

  private static final String NUMERIC = "0123456789.+-eE ";
  private static final char REPLACEMENT = '\uFFFD';

  private DataType[] types;
  private final String[] inexact;
  private long rows;
  private boolean replaced;
  private boolean malformed;

  /** Creates findings of no rows. */
  CsvFindings(int columns) {
    types = new DataType[columns];
    Arrays.fill(types, DataTypes.NullType);
    inexact = new String[columns];
  }

  /** Adds what a row says. */
  void add(CSVInferSchema inference, String[] row) {
    types = inference.inferRowType(types, row);
    rows++;
    malformed |= row.length != inexact.length;
    for (int i = 0; i < Math.min(row.length, inexact.length); i++) {
      String field = row[i];
      if (field == null) {
        continue;
      }
      replaced |= field.indexOf(REPLACEMENT) >= 0;
      if (inexact[i] == null && isInexact(field)) {
        inexact[i] = field;
      }
    }
  }

  /** Adds what other rows say. */
  void add(CSVInferSchema inference, CsvFindings other) {
    types = inference.mergeRowTypes(types, other.types);
    rows += other.rows;
    replaced |= other.replaced;
    malformed |= other.malformed;
    for (int i = 0; i < inexact.length; i++) {
      inexact[i] = inexact[i] == null ? other.inexact[i] : inexact[i];
    }
  }

  /** Tells whether a field is a number that is another one once it has been a double. */
  static boolean isInexact(String field) {
    boolean isShort = field.length() <= EXACT_CHARACTERS;
    if (isShort && field.indexOf('e') < 0 && field.indexOf('E') < 0) {
      return false;
    }
    for (int i = 0; i < field.length(); i++) {
      if (NUMERIC.indexOf(field.charAt(i)) < 0) {
        return false; // most texts end here, without the price of an exception
      }
    }
    try {
      String again = Double.toString(Double.parseDouble(field));
      return !again.equals(field)
          && (again.endsWith("Infinity")
              || new BigDecimal(again).compareTo(new BigDecimal(field.strip())) != 0);
    } catch (NumberFormatException e) {
      return false; // such as a date
    }
  }

  /** Tells whether a row has too many or too few fields. */
  boolean malformed() {
    return malformed;
  }

  /** Returns what was found, by the names of columns. */
  CsvTable table(CSVInferSchema inference, String[] names) {
    StructType schema = new StructType(inference.toStructFields(types, names));
    Map<String, String> changed = new LinkedHashMap<>();
    Set<String> empty = new HashSet<>();
    boolean unknown = replaced;
    for (int i = 0; i < names.length; i++) {
      unknown |= names[i].indexOf(REPLACEMENT) >= 0;
      if (types[i].equals(DataTypes.NullType)) {
        empty.add(names[i]);
      }
      if (inexact[i] != null && types[i].equals(DataTypes.DoubleType)) {
        changed.put(names[i], inexact[i]);
      }
    }
    return new CsvTable(schema, rows, changed, empty, unknown);
  }
}
