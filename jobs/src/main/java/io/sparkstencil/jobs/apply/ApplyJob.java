/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.files.Destination;
import io.sparkstencil.jobs.files.InputTable;
import io.sparkstencil.jobs.files.TableFormat;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Reads a table, applies stencils and writes the table with their results.
 *
 * @param request what is applied
 * @param tidying what is done to the series before
 * @param input the table to read
 * @param outputFormat the format to write
 * @param output where the table goes
 * @param plot where to draw, or null
 * @param plotSeries how many series are drawn at most
 * @param plotUnits the units of columns that have one
 * @param report where to report, or null
 */
record ApplyJob(
    ApplyRequest request,
    Tidying tidying,
    InputTable input,
    TableFormat outputFormat,
    Destination output,
    Destination plot,
    int plotSeries,
    Map<String, String> plotUnits,
    Destination report)
    implements TableJob {
  @Override
  public RunReport run(SparkSession session, PrintWriter notes) {
    String written = output.temporary().toString();
    RunReport ran = new RunReport();
    InputTable.Found found = ran.step("read schema", () -> input.read(session));
    outputFormat.requireTypes(found.rows().schema());
    Dataset<Row> table = NestedColumns.addTo(found.rows(), request);
    Dataset<Row> numbers = input.format().isText() ? numbers(table, found.empty()) : table;
    request.requireNumbers(numbers.schema());
    found.notes().forEach(note -> notes.println("stencil: note: " + note));
    noteTextOrder(table, found, notes);
    tidying.requireColumns(found.rows(), request);
    Dataset<Row> all = request.applyTo(tidying.applyTo(numbers, request));
    Dataset<Row> results = tidying.resamples() ? all : NestedColumns.removeFrom(all, found.rows());
    ran.compute(session, () -> outputFormat.write(results, written));
    ran.step("look at times", () -> noteSteps(session, results.schema(), written, notes));
    TableJob.noteNoRows(ran, input, notes);
    if (plot != null) {
      Dataset<Row> read = outputFormat.read(session, written, results.schema());
      ran.step("plot", () -> draw(NestedColumns.addTo(read, request), ran.rows(), notes));
    }
    TableJob.publish(ran, report, output, plot);
    return ran;
  }

  private void noteSteps(
      SparkSession session, StructType schema, String written, PrintWriter notes) {
    new StepSample(outputFormat, schema, request)
        .notes(session, written)
        .forEach(note -> notes.println("stencil: note: " + note));
  }

  private void draw(Dataset<Row> table, long rows, PrintWriter notes) {
    PlotSample sample = new PlotSample(table, request, plotUnits);
    plot.write(sample.chart(rows, plotSeries)::writePng);
    if (sample.leftOut()) {
      notes.printf(
          "stencil: note: --plot shows the first %d series; show more with --plot-series%n",
          plotSeries);
    }
  }

  /**
   * Returns the table, whose types are inferred, with columns of numbers: a column without any
   * value is inferred as text and taken as double.
   *
   * @throws BadDataException with the value that made a column text where others are numbers
   * @throws InvalidStencilException if a column holds no numbers
   */
  private Dataset<Row> numbers(Dataset<Row> table, Set<String> empty) {
    Dataset<Row> numbers = table;
    for (String each : request.sources()) {
      String source = ApplyRequest.fieldOf(table.schema(), each).name();
      if (!table.schema().apply(source).dataType().equals(DataTypes.StringType)) {
        continue;
      }
      Column column = ApplyRequest.quoted(source);
      Column number = column.try_cast("double");
      if (empty.contains(source)) {
        numbers = numbers.withColumn(source, number);
        continue;
      }
      boolean anyNumber = !table.where(number.isNotNull()).isEmpty();
      List<Row> texts =
          table
              .where(number.isNull().and(column.isNotNull()))
              .select(column)
              .limit(1)
              .collectAsList();
      if (texts.isEmpty()) {
        numbers = numbers.withColumn(source, number);
      } else if (anyNumber) {
        throw new BadDataException(
            "column %s holds numbers, but also \"%s\"; correct the value or leave it empty, or say with --null-value that it is null"
                .formatted(source, texts.get(0).getString(0)));
      } else {
        throw new InvalidStencilException(
            "column %s holds text, such as \"%s\"; name a column of numbers with --column"
                .formatted(source, texts.get(0).getString(0)));
      }
    }
    return numbers;
  }

  private void noteTextOrder(Dataset<Row> table, InputTable.Found found, PrintWriter notes) {
    DataType type = ApplyRequest.fieldOf(table.schema(), request.orderBy()).dataType();
    if (type.equals(DataTypes.StringType)
        && (found.count().isPresent() ? found.count().getAsLong() > 0 : !table.isEmpty())) {
      notes.printf(
          "stencil: note: %s is text and is ordered as text, \"10\" before \"9\"; dates are"
              + " recognised in the form 2012-01-31%n",
          request.orderBy());
    }
  }
}
