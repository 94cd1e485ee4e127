/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

/**
 * How far a call of {@link StencilGrid#step} or {@link StencilGrid#stepUntil} is.
 *
 * <pre>{@code
 * GridListener rate = progress -> System.out.println(progress.cellStepsPerSecond());
 * }</pre>
 *
 * @param step the steps that the grid has taken since its first cells
 * @param done the steps of this call that are done
 * @param wanted the steps of this call, at most
 * @param seconds the time since the call
 * @param cellStepsPerSecond the cells of the grid, once per step that is done, per second
 */
public record GridProgress(
    long step, long done, long wanted, double seconds, double cellStepsPerSecond) {}
