/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.running;

import io.sparkstencil.spark.catalyst.frames.RunningState;
import io.sparkstencil.spark.catalyst.shuffle.RangeExtent;
import java.io.Serializable;

/**
 * What is known of a unit of rows.
 *
 * @param extent their number and keys
 * @param state what {@link BoundedPlan#states} says of them; null if that is nothing
 */
public record UnitFacts(RangeExtent extent, RunningState state) implements Serializable {}
