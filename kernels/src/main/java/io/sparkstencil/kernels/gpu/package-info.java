/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The GPU engine: staged batches go to the device, through kernels and back on streams. Imports
 * cuda, codegen, launch, tuning, variant and core; knows nothing of Spark.
 *
 * <ul>
 *   <li>To be found: {@code GpuEngineProvider} opens a {@code GpuEngine} by its {@code GpuOptions}.
 *   <li>To stage: {@code GpuLane} lends {@code PinnedCellBuffer}s and gives each batch to a {@code
 *       DeviceSlot}.
 *   <li>To run: the slot lays the batch out in {@code DeviceParts}, each of which is {@code
 *       DeviceCells}, and starts kernels over {@code DevicePieces}, on one of the {@code
 *       DeviceStreams}; {@code BatchClock} takes times.
 *   <li>To choose kernels: {@code GpuStencil}, among those of a {@code KernelSource}, which is
 *       {@code GeneratedKernels}.
 *   <li>To compute columns that are there already: {@code DeviceArrays}.
 *   <li>To sort: {@code GpuRowSort}, by a {@code SortStage} and {@code SortParts}.
 *   <li>To tune: {@code ScheduleSearch}.
 * </ul>
 */
package io.sparkstencil.kernels.gpu;
