/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Kernels of several steps of three-dimensional programs: blocks that stream along the planes.
 *
 * <ul>
 *   <li>To choose: {@code PlaneStreams} tries each {@code PlaneShape} by its {@code PlaneCost}.
 *   <li>To plan: {@code PlaneStream} has the {@code PlanePlan}, whose operations {@code StageTimes}
 *       puts in time; a {@code PlaneTile} is what a block holds, within {@code PlaneMargins};
 *       {@code PlaneMemory} is its shared memory.
 *   <li>To write: {@code PlaneWriter}, with a {@code PlaneFrame} for where a thread is and the
 *       {@code PlaneBarrier} of its planes.
 *   <li>To read: {@code PlaneCopies} fill the rings; {@code PlaneRows} and, at the ends, {@code
 *       PlaneBoundary} are the {@code PlaneCells} that operations read; {@code PlaneValues} keep
 *       what is computed.
 *   <li>To store: {@code PlaneResults}.
 * </ul>
 */
package io.sparkstencil.kernels.codegen.program.planes;
