/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.cases;

import static org.apache.spark.sql.functions.col;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/** The places that random tables are read from. */
enum StoredCases {
  MEMORY,
  CACHE,
  PARQUET,
  ORC,
  JSON,
  PARTITIONED_PARQUET,
  PARTITIONED_ORC,
  EVOLVED_PARQUET,
  EVOLVED_ORC,
  BUCKETS;

  /** Columns that the older half of the files of an evolved table lacks. */
  private static final String[] NEWER = {"g", "d", "text", "m", "at"};

  static StoredCases draw(Random random) {
    return values()[random.nextInt(values().length)];
  }

  /** Returns the table after it was stored, with the columns that it had. */
  Dataset<Row> stored(Dataset<Row> table, Random random, Path folder, String name) {
    return switch (this) {
      case MEMORY -> table;
      case CACHE -> table.cache();
      case PARQUET -> CaseTable.inFiles(table, random, folder.resolve(name));
      case ORC -> written(table, "orc", folder.resolve(name));
      case JSON -> written(table, "json", folder.resolve(name));
      case PARTITIONED_PARQUET -> partitioned(table, "parquet", folder.resolve(name));
      case PARTITIONED_ORC -> partitioned(table, "orc", folder.resolve(name));
      case EVOLVED_PARQUET -> evolved(table, "parquet", folder.resolve(name));
      case EVOLVED_ORC -> evolved(table, "orc", folder.resolve(name));
      case BUCKETS -> {
        table
            .write()
            .bucketBy(1 + random.nextInt(4), "g")
            .sortBy("t")
            .option("path", folder.resolve(name).toString())
            .saveAsTable(name);
        yield table.sparkSession().table(name);
      }
    };
  }

  private static Dataset<Row> written(Dataset<Row> table, String format, Path folder) {
    table.write().format(format).save(folder.toString());
    return read(table.sparkSession(), table.schema(), format, folder);
  }

  private static Dataset<Row> partitioned(Dataset<Row> table, String format, Path folder) {
    table.coalesce(1).write().format(format).partitionBy("g", "h").save(folder.toString());
    return read(table.sparkSession(), table.schema(), format, folder);
  }

  private static Dataset<Row> evolved(Dataset<Row> table, String format, Path folder) {
    table
        .where("id % 2 = 0")
        .drop(NEWER)
        .write()
        .format(format)
        .save(folder.resolve("older").toString());
    table.where("id % 2 = 1").write().format(format).save(folder.resolve("newer").toString());
    return read(
        table.sparkSession(),
        table.schema(),
        format,
        folder.resolve("older"),
        folder.resolve("newer"));
  }

  private static Dataset<Row> read(
      SparkSession spark, StructType schema, String format, Path... folders) {
    String[] paths = Arrays.stream(folders).map(Path::toString).toArray(String[]::new);
    Column[] columns =
        Arrays.stream(schema.fieldNames()).map(name -> col(name)).toArray(Column[]::new);
    return spark.read().format(format).schema(schema).load(paths).select(columns);
  }
}
