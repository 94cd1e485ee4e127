/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst;

import io.sparkstencil.spark.catalyst.arrays.ArrayFunctionRegistry;
import io.sparkstencil.spark.catalyst.plan.SeriesShuffleRule;
import io.sparkstencil.spark.catalyst.plan.StencilStrategy;
import io.sparkstencil.spark.catalyst.windows.WindowStrategy;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.spark.sql.SparkSessionExtensions;
import scala.runtime.BoxedUnit;

/** Brings the plan nodes of this package into a session. */
public final class SessionExtensions {
  /** Extensions of sessions that have ours: the class path and the configuration may name both. */
  private static final Set<SparkSessionExtensions> INJECTED =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private SessionExtensions() {}

  /** Adds the planner strategies, the array functions and their operator, once. */
  public static BoxedUnit inject(SparkSessionExtensions extensions) {
    if (!INJECTED.add(extensions)) {
      return BoxedUnit.UNIT;
    }
    extensions.injectPlannerStrategy(session -> new StencilStrategy());
    WindowStrategy windows = new WindowStrategy(); // one for all, as it knows what it has said
    extensions.injectPlannerStrategy(session -> windows);
    extensions.injectQueryStagePrepRule(session -> new SeriesShuffleRule());
    extensions.injectColumnar(session -> new SeriesShuffleRule.WithoutAdaptiveExecution());
    ArrayFunctionRegistry.inject(extensions);
    return BoxedUnit.UNIT;
  }
}
