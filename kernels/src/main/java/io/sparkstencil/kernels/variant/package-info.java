/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Kernel variants as values: what is computed, how, and where it may run; choosing a schedule; the
 * space that tuning searches. Imports the model and {@code ptx.PtxTarget}; never needs a device.
 *
 * <ul>
 *   <li>To say what: {@code FlatStencil}.
 *   <li>To say how: a {@code KernelSchedule} has a {@code StagingStrategy}, a {@code
 *       ReductionForm}, a {@code CoefficientPlacement} and {@code CacheHints}; {@code
 *       ScheduleRules} say which can run what.
 *   <li>To name both: a {@code KernelVariant}, which is a {@code KernelKey} as all that kernels are
 *       loaded by.
 *   <li>To choose: {@code ScheduleSelector}, by {@code DeviceTraits} with the {@code DeviceProfile}
 *       that was measured.
 *   <li>To search: {@code SearchSpace}, in which {@code ClassicKernel} has the textbooks' kernels;
 *       a {@code TunedShape} says for which stencils a result holds.
 * </ul>
 */
package io.sparkstencil.kernels.variant;
