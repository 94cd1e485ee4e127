/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Spark's frames: their bounds, what is aggregated in them, and faster ways to the same results.
 *
 * <ul>
 *   <li>Bounds: {@code RangeBound} and {@code OpenBound}; {@code ZoneShifts} says how far clocks
 *       move between them.
 *   <li>To move: {@code WindowFrames} makes {@code MovingFrames} for a task: {@code CellFrame} with
 *       {@code RowFramePlan} or {@code KeyFrame} with {@code KeyFramePlan} where values go through
 *       arrays, Spark's own frames else.
 *   <li>To aggregate in arrays: a {@code FrameFunction} each: {@code DoubleFunction}, {@code
 *       LongFunction}, {@code DecimalFunction}, {@code ObjectFunction}; {@code PositionQueue} keeps
 *       extremes, {@code WideSum} is one of 128 bits.
 *   <li>To aggregate in parts: {@code StateSpec} says what a {@code RunningState} consists of;
 *       {@code StateCollector} makes it of some rows, {@code StateMerger} of many states; {@code
 *       PartialBuffers}, {@code Buffers} and {@code BufferProjection} are those of Spark.
 * </ul>
 */
package io.sparkstencil.spark.catalyst.frames;
