/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.jobs.files.Destination;
import io.sparkstencil.jobs.files.InputTable;
import io.sparkstencil.jobs.files.TableFormat;
import java.io.PrintWriter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Reads a table of tiles, applies a program to the rasters that they make, and writes the table
 * with the tiles of results.
 *
 * @param request what is applied
 * @param input the table to read
 * @param outputFormat the format to write
 * @param output where the table goes
 * @param report where to report, or null
 */
record TileJob(
    TileRequest request,
    InputTable input,
    TableFormat outputFormat,
    Destination output,
    Destination report)
    implements TableJob {
  @Override
  public RunReport run(SparkSession session, PrintWriter notes) {
    RunReport ran = new RunReport();
    InputTable.Found found = ran.step("read schema", () -> input.read(session));
    outputFormat.requireTypes(found.rows().schema());
    found.notes().forEach(note -> notes.println("stencil: note: " + note));
    Dataset<Row> table = NestedColumns.addTo(found.rows(), request.columns());
    Dataset<Row> results = NestedColumns.removeFrom(request.applyTo(table), found.rows());
    ran.compute(session, () -> outputFormat.write(results, output.temporary().toString()));
    TableJob.noteNoRows(ran, input, notes);
    TableJob.publish(ran, report, output);
    return ran;
  }
}
