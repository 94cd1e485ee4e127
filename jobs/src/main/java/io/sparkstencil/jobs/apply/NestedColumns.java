/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.apache.spark.sql.functions.col;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Fields of structs that a request names with dots, as columns of these very names for as long as
 * they are computed with.
 */
final class NestedColumns {
  private NestedColumns() {}

  /** Returns {@code table} with a column for each name in the request that leads into a struct. */
  static Dataset<Row> addTo(Dataset<Row> table, ApplyRequest request) {
    Set<String> names = new LinkedHashSet<>(request.partitionBy());
    names.add(request.orderBy());
    names.addAll(request.columns());
    return addTo(table, names);
  }

  /** Returns {@code table} with a column for each of some names that leads into a struct. */
  static Dataset<Row> addTo(Dataset<Row> table, Set<String> names) {
    Dataset<Row> all = table;
    for (String name : names) {
      Optional<String> path = path(table.schema(), name);
      if (path.isPresent()) {
        all = all.withColumn(name, col(path.get()));
      }
    }
    return all;
  }

  /** Returns the columns of {@code schema}, each followed by the fields that lie in it. */
  static List<String> names(StructType schema) {
    Set<String> names = new LinkedHashSet<>(); // a field that is computed with is a column, too
    for (StructField each : schema.fields()) {
      names.add(each.name());
      names.addAll(fields(each.name(), each.dataType(), type -> true));
    }
    return List.copyOf(names);
  }

  /** Returns the fields of wanted types in a struct called {@code name}, however deep. */
  static List<String> fields(String name, DataType type, Predicate<DataType> wanted) {
    List<String> fields = new ArrayList<>();
    if (type instanceof StructType struct) {
      for (StructField each : struct.fields()) {
        String path = name + "." + each.name();
        if (each.dataType() instanceof StructType) {
          fields.addAll(fields(path, each.dataType(), wanted));
        } else if (wanted.test(each.dataType())) {
          fields.add(path);
        }
      }
    }
    return fields;
  }

  /** Returns the columns of {@code results} without those that were added to {@code table}. */
  static Dataset<Row> removeFrom(Dataset<Row> results, Dataset<Row> table) {
    List<Column> kept = new ArrayList<>();
    for (String name : results.columns()) {
      if (path(table.schema(), name).isEmpty()) {
        kept.add(ApplyRequest.quoted(name));
      }
    }
    return kept.size() == results.columns().length
        ? results
        : results.select(kept.toArray(Column[]::new));
  }

  /**
   * Returns Spark's way to the field, if there is no column of this name but structs lead to it.
   */
  private static Optional<String> path(StructType schema, String name) {
    if (!name.contains(".") || field(schema, name) != null) {
      return Optional.empty();
    }
    StringBuilder path = new StringBuilder();
    StructType in = schema;
    String[] parts = name.split("\\.", -1);
    for (int i = 0; i < parts.length; i++) {
      StructField field = field(in, parts[i]);
      if (field == null || (i < parts.length - 1 && !(field.dataType() instanceof StructType))) {
        return Optional.empty();
      }
      path.append(i == 0 ? "`" : ".`").append(field.name().replace("`", "``")).append('`');
      in = field.dataType() instanceof StructType struct ? struct : null;
    }
    return Optional.of(path.toString());
  }

  private static StructField field(StructType schema, String name) {
    for (StructField field : schema.fields()) {
      if (field.name().equalsIgnoreCase(name)) {
        return field;
      }
    }
    return null;
  }
}
