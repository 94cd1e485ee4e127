/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.apache.spark.sql.functions.array;

import io.sparkstencil.jobs.files.TableFormat;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * Looks at the first rows of some files of a table that was written, whose rows are in order within
 * their series.
 *
 * @param format of its files
 * @param schema its columns
 * @param request what ordered it
 */
record StepSample(TableFormat format, StructType schema, ApplyRequest request) {
  private static final int FILES = 4;
  private static final int ROWS_PER_FILE = 5000;

  /** Returns what the user should know about the times of the table at {@code path}. */
  List<String> notes(SparkSession session, String path) {
    Dataset<Row> table = NestedColumns.addTo(format.read(session, path, schema), request);
    DataType type = ApplyRequest.fieldOf(table.schema(), request.orderBy()).dataType();
    if (!OrderSpan.isTime(type)) {
      return List.of();
    }
    Column[] read =
        Stream.concat(
                Stream.of(new OrderPositions(request.orderBy(), type).micros()),
                Stream.of(
                    array(
                        request.partitionBy().stream()
                            .map(key -> ApplyRequest.quoted(key).cast("string"))
                            .toArray(Column[]::new))))
            .toArray(Column[]::new);
    ObservedSteps steps = new ObservedSteps();
    String[] files = table.inputFiles();
    Arrays.sort(files);
    for (int i = 0; i < Math.min(FILES, files.length); i++) {
      String file = files[(int) ((long) i * files.length / Math.min(FILES, files.length))];
      steps.begin();
      NestedColumns.addTo(format.read(session, file, schema), request)
          .select(read)
          .limit(ROWS_PER_FILE)
          .collectAsList()
          .forEach(row -> steps.add(row.getList(1), row.isNullAt(0) ? null : row.getLong(0)));
    }
    return steps.notes(request.orderBy(), request.countsRows(), !request.partitionBy().isEmpty());
  }
}
