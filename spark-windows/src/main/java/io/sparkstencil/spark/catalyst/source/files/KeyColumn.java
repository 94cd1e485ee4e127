/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source.files;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;

/**
 * A column of Parquet files that a plan's rows come from, row by row.
 *
 * @param name its name
 * @param type the type that it is read as
 * @param caseSensitive whether names that differ in case alone are different
 */
record KeyColumn(String name, DataType type, boolean caseSensitive) implements Serializable {
  private static final String FIELD_ID = "parquet.field.id";

  /**
   * A column with the scan that reads it.
   *
   * @param column the column
   * @param scan the scan
   */
  record Source(KeyColumn column, FileSourceScanExec scan) {}

  /**
   * Returns the column that an expression over a plan's rows is; empty if it is none, or if rows
   * are made of anything but filtered rows of the files, or may differ when they are read again.
   */
  static Optional<Source> of(SparkPlan plan, Expression key) {
    return key instanceof Attribute attribute ? of(plan, attribute.exprId()) : Optional.empty();
  }

  private static Optional<Source> of(SparkPlan plan, ExprId key) {
    if (plan instanceof OverRows columns) {
      return of(columns.overRows(), key);
    }
    if (plan instanceof WholeStageCodegenExec
        || plan instanceof InputAdapter
        || plan instanceof ColumnarToRowExec) {
      return of(plan.children().apply(0), key);
    }
    boolean repeatable =
        ScalaInterop.list(plan.expressions()).stream().allMatch(Expression::deterministic);
    if (plan instanceof FilterExec filter && repeatable) {
      return of(filter.child(), key);
    } else if (plan instanceof ProjectExec project && repeatable) {
      return ScalaInterop.list(project.projectList()).stream()
          .filter(each -> each.exprId().equals(key))
          .findFirst()
          .flatMap(KeyColumn::passedOn)
          .flatMap(below -> of(project.child(), below));
    }
    return plan instanceof FileSourceScanExec scan ? of(scan, key) : Optional.empty();
  }

  private static Optional<ExprId> passedOn(NamedExpression column) {
    Expression value = column instanceof Alias alias ? alias.child() : (Expression) column;
    return value instanceof Attribute below ? Optional.of(below.exprId()) : Optional.empty();
  }

  /** Files of other formats, and of formats that are built on Parquet, have rules of their own. */
  private static Optional<Source> of(FileSourceScanExec scan, ExprId key) {
    List<Attribute> output = ScalaInterop.list(scan.output());
    StructField[] fields = scan.requiredSchema().fields();
    if (scan.bucketedScan() || scan.relation().fileFormat().getClass() != ParquetFileFormat.class) {
      return Optional.empty();
    }
    for (int i = 0; i < Math.min(fields.length, output.size()); i++) {
      if (output.get(i).exprId().equals(key) && !fields[i].metadata().contains(FIELD_ID)) {
        boolean caseSensitive = scan.conf().caseSensitiveAnalysis();
        return Optional.of(
            new Source(new KeyColumn(fields[i].name(), fields[i].dataType(), caseSensitive), scan));
      }
    }
    return Optional.empty();
  }
}
