/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Measured schedules: timing launches, searching for the fastest variant on the device at hand, and
 * keeping what was found. Imports launch, cuda, codegen and variant.
 *
 * <ul>
 *   <li>To measure: {@code Tuner} tries candidates by a {@code LaunchTimer} over {@code
 *       RotatingBuffers}.
 *   <li>To say what was found: {@code TunedSchedule} for stencils; {@code TunedKernel} for
 *       programs, which holds for {@code TunedFields}.
 *   <li>To keep it: {@code TuningStore}, as {@code ScheduleJson} and {@code ProgramJson}; {@code
 *       ProfileStore} keeps what the device is like. Both write a {@code DeviceFile} and read it by
 *       {@code JsonMembers}.
 * </ul>
 */
package io.sparkstencil.kernels.tuning;
