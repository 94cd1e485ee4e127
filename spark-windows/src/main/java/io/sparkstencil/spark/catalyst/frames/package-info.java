/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Spark's frames: their bounds, and what is aggregated in parts of them.
 *
 * <ul>
 *   <li>Bounds: {@code FrameExtent}, {@code RangeBound} and {@code OpenBound}; {@code ZoneShifts}
 *       says how far clocks move between bounds.
 *   <li>To add: {@code WideSum} is a sum of 128 bits, {@code DoubleSums} are those of {@code
 *       PackedDoubles}.
 *   <li>To aggregate in parts: {@code StateSpec} says what a {@code RunningState} consists of;
 *       {@code StateCollector} makes it of some rows, {@code StateMerger} of many states; {@code
 *       PartialBuffers}, {@code Buffers} and {@code BufferProjection} are those of Spark.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.frames;
