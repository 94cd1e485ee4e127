/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs of consecutive cells of one series with what lies beside them. Imports the model.
 *
 * <ul>
 *   <li>A {@code Segment} has cells, results, and a {@code Halo} on either side.
 * </ul>
 */
package io.sparkstencil.segment;
