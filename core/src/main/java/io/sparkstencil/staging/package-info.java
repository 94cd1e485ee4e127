/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The layout of cells and halos in an engine's memory, and copying into it. Imports segments and
 * the model.
 *
 * <ul>
 *   <li>To lay out: {@code StagingLayout} says where the pieces of a batch lie.
 *   <li>To copy: {@code StagingWriter} resolves every position, as the boundary says.
 *   <li>To hand over: a {@code StagedBatch} goes to the engine.
 *   <li>To take several steps: {@code Restaging} makes the results of a step the cells of the next.
 *   <li>To know nulls without values: {@code ResultValidity}.
 * </ul>
 */
package io.sparkstencil.staging;
