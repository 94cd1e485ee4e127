/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import io.sparkstencil.spark.catalyst.SessionExtensions;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import scala.runtime.BoxedUnit;

/**
 * What a session needs to plan stencils. Found by itself where the jar is on the class path when a
 * session starts; may also be named in {@code spark.sql.extensions}. {@link Stencils} works without
 * it.
 */
public final class StencilExtensions implements SparkSessionExtensionsProvider {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    return SessionExtensions.inject(extensions);
  }
}
