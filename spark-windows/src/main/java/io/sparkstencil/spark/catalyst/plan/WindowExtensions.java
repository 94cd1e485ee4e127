/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import scala.runtime.BoxedUnit;

/** What a session needs to plan stencils over rows and windows; a part of what users name. */
public final class WindowExtensions implements SparkSessionExtensionsProvider {
  /** Extensions of sessions that have ours: the class path and the configuration may name both. */
  private static final Set<SparkSessionExtensions> INJECTED =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Adds the planner strategies and the rules of shuffles and columns, once. */
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    if (INJECTED.add(extensions)) {
      extensions.injectPlannerStrategy(session -> new StencilNode.Strategy());
      WindowStrategy windows = new WindowStrategy(); // one for all, as it knows what it has said
      extensions.injectPlannerStrategy(session -> windows);
      extensions.injectQueryStagePrepRule(session -> new SeriesShuffleRule());
      extensions.injectColumnar(session -> new SeriesShuffleRule.WithoutAdaptiveExecution());
      extensions.injectColumnar(session -> new SeriesColumnsRule());
    }
    return BoxedUnit.UNIT;
  }
}
