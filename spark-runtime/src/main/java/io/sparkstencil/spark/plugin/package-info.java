/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What an executor has once: its engines, its GPUs, their permits and the metrics. Imports engines
 * and options; no Catalyst.
 *
 * <ul>
 *   <li>To start and stop: {@code StencilDriverPlugin} and {@code StencilExecutorPlugin}; a {@code
 *       RuntimeSetup} says how, {@code WarmUp} opens engines before the first task.
 *   <li>To ask: {@link io.sparkstencil.spark.plugin.ExecutorRuntime}, which knows the {@code
 *       Caller}; a {@code Resident} lives as long as it does.
 *   <li>To run stencils: a {@code TaskEngine} is that of a task, a {@code ProcessEngine} that of a
 *       device; {@code ProcessEngines} has all and chooses by {@code CostModel} for some {@code
 *       PartitionWork}, as {@code EngineChoice} says; {@code DevicePermits} says how many tasks use
 *       a device at once.
 *   <li>To run programs: {@code TaskProgram}, by the {@code ProcessPrograms}; {@code
 *       ProgramForecast} says in plans which engine is expected.
 *   <li>To sort: {@code RowSorts} are {@code TaskSorts} on a device, or {@code HostSorts}.
 *   <li>To stop: {@code TaskCancellation}; what waits while it stops shares a {@code Patience}.
 *   <li>To report: {@code TaskReport}, {@code RuntimeMetrics}; {@code GridStarted} tells listeners
 *       of a grid.
 * </ul>
 */
package io.sparkstencil.spark.plugin;
