/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.jobs.apply.ApplyRequest.ResultColumn;
import io.sparkstencil.spark.StencilQuery;
import io.sparkstencil.spark.Stencils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** From a request to the Dataset API. */
public final class StencilRun {
  private StencilRun() {}

  /** Returns the rows of {@code table} with the results that are asked for; nothing runs yet. */
  public static Dataset<Row> apply(Dataset<Row> table, ApplyRequest request) {
    StencilQuery query =
        Stencils.over(table)
            .partitionBy(request.partitionBy().toArray(String[]::new))
            .orderBy(request.orderBy())
            .engine(request.engine());
    for (ResultColumn result : request.results()) {
      query = query.apply(result.source(), result.stencil(), result.name());
    }
    return (request.ordered() ? query.ordered() : query).toDataset();
  }
}
