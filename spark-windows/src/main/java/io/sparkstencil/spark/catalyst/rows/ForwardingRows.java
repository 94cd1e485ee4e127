/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.rows;

import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** The rows of another source, of which more is known. */
public abstract class ForwardingRows implements RowSource {
  /** The other source. */
  protected final RowSource rows;

  protected ForwardingRows(RowSource rows) {
    this.rows = rows;
  }

  @Override
  public boolean advance() {
    return rows.advance();
  }

  @Override
  public final UnsafeRow row() {
    return rows.row();
  }

  @Override
  public boolean startsSeries() {
    return rows.startsSeries();
  }
}
