/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.source;

import io.sparkstencil.spark.catalyst.rows.RowSource;
import io.sparkstencil.spark.catalyst.rows.UnitOrder;
import io.sparkstencil.spark.catalyst.series.OwnRows;
import io.sparkstencil.spark.catalyst.series.SeriesColumns;
import java.io.Serializable;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;

/**
 * What a {@link WindowTask} has computed of its series.
 *
 * @param ofColumns computes series that have been collected
 * @param ofRows computes rows in order, where nothing is collected or not all found memory
 * @param <T> what comes out: rows or batches of them, with their results
 */
public record SeriesComputation<T>(OfColumns<T> ofColumns, OfRows<T> ofRows)
    implements Serializable {
  /** Computes series that have been collected. */
  interface OfColumns<T> extends Serializable {
    /** Returns the own rows with their results, lazily. */
    Iterator<T> results(TaskContext context, SeriesColumns collected, UnitOrder order, OwnRows own);
  }

  /** Computes rows in order. */
  interface OfRows<T> extends Serializable {
    /** Returns those rows that the result has with their results, lazily. */
    Iterator<T> results(TaskContext context, RowSource rows, UnitOrder order);
  }
}
