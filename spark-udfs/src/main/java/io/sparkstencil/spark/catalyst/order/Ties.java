/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.order;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BaseOrdering;

/** Tells whether rows tie in an order. Used by one thread. */
public final class Ties {
  private final RowOrder order;
  private BaseOrdering ordering; // made when it is needed: that takes as long as a small partition

  public Ties(RowOrder order) {
    this.order = order;
  }

  /** Tells whether neither row comes before the other. */
  public boolean tie(InternalRow a, InternalRow b) {
    if (!order.isIntegral()) {
      return ordering().compare(a, b) == 0;
    }
    boolean nullA = order.isIntegralNull(a);
    boolean nullB = order.isIntegralNull(b);
    return nullA == nullB && (nullA || order.integralKey(a) == order.integralKey(b));
  }

  /** Returns the order of whole rows. */
  BaseOrdering ordering() {
    if (ordering == null) {
      ordering = order.ofRows();
    }
    return ordering;
  }
}
