/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The way of a partition: plan, stage, apply, unstage. Neither Spark nor device types.
 *
 * <ul>
 *   <li>To say what runs: a {@code Staging} lists the stencils over the same staged cells.
 *   <li>To enter and leave: an {@code ItemSource} adds the segments of an item to {@code
 *       ItemCells}; an {@code ItemSink} makes what comes out, of the segments or of {@code
 *       ItemResults}.
 *   <li>To run: {@code PartitionPipeline} shows the whole way; two {@code BatchSlot}s take turns,
 *       with a {@code Batch} for each staging.
 *   <li>To save copies and cells: {@code InPlace} computes the inside of long segments where it
 *       lies; {@code ShortSeries} narrows frames that are wider than their series.
 * </ul>
 */
package io.sparkstencil.pipeline;
