/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What is computed, as values: stencils, frames, boundaries, types of cells. Imports only errors.
 *
 * <ul>
 *   <li>To say what a query computes: a {@code Stencil} has a {@code Frame}, a {@code Reduction}, a
 *       {@code Boundary} and an {@code Accuracy}; weighted sums have {@code Weights}, of which
 *       {@code StandardStencils} know those with names.
 *   <li>To say what an engine compiles: a {@code StencilSpec} is a stencil over cells of one {@code
 *       ElementType}.
 *   <li>To give Spark's answers: {@code ResultTypes} has the types of results, {@code CellOrder}
 *       the order of numbers that minima follow.
 *   <li>To round once: {@code Rational} weights.
 * </ul>
 *
 * <p>Users begin with {@link io.sparkstencil.model.Stencil}. Offsets count cells, not time. Values
 * are immutable, and may be sent to tasks.
 */
package io.sparkstencil.model;
