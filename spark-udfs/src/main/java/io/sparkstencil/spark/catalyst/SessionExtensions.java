/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst;

import io.sparkstencil.spark.catalyst.arrays.ArrayFunctionRegistry;
import io.sparkstencil.spark.catalyst.windows.WindowStrategy;
import org.apache.spark.sql.SparkSessionExtensions;
import scala.runtime.BoxedUnit;

/** Brings the plan nodes of this package into a session. */
public final class SessionExtensions {
  private SessionExtensions() {}

  /** Adds the planner strategies, the array functions and their operator. */
  public static BoxedUnit inject(SparkSessionExtensions extensions) {
    extensions.injectPlannerStrategy(session -> new StencilStrategy());
    extensions.injectPlannerStrategy(session -> new WindowStrategy());
    ArrayFunctionRegistry.inject(extensions);
    return BoxedUnit.UNIT;
  }
}
