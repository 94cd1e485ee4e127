/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import io.sparkstencil.spark.catalyst.arrays.ArrayFunctionRegistry;
import io.sparkstencil.spark.catalyst.plan.WindowExtensions;
import io.sparkstencil.spark.catalyst.tiles.TilePlans;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import scala.runtime.BoxedUnit;

/**
 * What a session needs to plan stencils. Found by itself where the jar is on the class path when a
 * session starts; may also be named in {@code spark.sql.extensions}. {@link Stencils} works without
 * it.
 *
 * <pre>{@code
 * SparkSession session =
 *     SparkSession.builder()
 *         .config("spark.sql.extensions", StencilExtensions.class.getName()) // rarely needed
 *         .getOrCreate();
 * }</pre>
 */
public final class StencilExtensions implements SparkSessionExtensionsProvider {
  /** Extensions of sessions that have ours: the class path and the configuration may name both. */
  private static final Set<SparkSessionExtensions> INJECTED =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Adds the planner strategies, the array functions and their operator, once. */
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    if (INJECTED.add(extensions)) {
      new WindowExtensions().apply(extensions);
      ArrayFunctionRegistry.inject(extensions);
      extensions.injectPlannerStrategy(session -> TilePlans.strategy());
    }
    return BoxedUnit.UNIT;
  }
}
