/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Stencil programs on a GPU: cells that stay in its memory, steps one by one or several at a time,
 * and fields that are larger than its memory.
 *
 * <ul>
 *   <li>To be found: {@code GpuProgramProvider} opens {@code GpuPrograms}, whose programs share a
 *       {@code ProgramDevice}.
 *   <li>To run fields of the heap: a {@code GpuProgram} brings them to a {@code DeviceProgram} by
 *       {@code FieldCopies}; {@code PartsRun} where they do not fit; {@code Workers} copy pieces
 *       side by side.
 *   <li>To take steps: {@code PassChoice} chooses each {@code Pass}: {@code WholePass} takes one
 *       step, {@code FusedPass} several, by a {@code PassLaunch}.
 *   <li>To launch: {@code StageKernels} have kernels by {@code ProgramKernelKey}, {@code
 *       StageLaunches} the jobs of slabs, {@code BoundaryMemory} the table of positions outside,
 *       and a {@code ProgramLane} two streams.
 *   <li>To hold a block of a grid: {@code DeviceBlock}; {@code BoxCopies} and {@code HostCopies}
 *       move its cells, {@code DeviceFaces} give its faces, a {@code SharedOutbox} each to another
 *       process, and a {@code PinnedFace} has one that travels.
 *   <li>To tune: {@code ProgramSearch}.
 * </ul>
 */
package io.sparkstencil.kernels.program;
