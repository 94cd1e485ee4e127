/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.failover;

/**
 * What the lanes of a {@link FailoverEngine} have done.
 *
 * @param outputCells the output cells of all batches and stencils
 * @param stagedBytes the bytes of cells staged, halos included
 * @param engineNanos the nanoseconds spent submitting to engines and waiting for them
 */
public record BatchTotals(long outputCells, long stagedBytes, long engineNanos) {}
