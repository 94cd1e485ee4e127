/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Which cells of a program are computed when, where they are in device memory, and the jobs that
 * compute them. No device is needed to make a plan.
 *
 * <ul>
 *   <li>To place: {@code FieldLayout} says how a box lies, {@code Stored} where a field's cells
 *       are, {@code Versions} which array of a field is read and which is written.
 *   <li>To cover fields: {@code FusedPlans} chooses, by {@code PassCosts}, a {@code FusedPlan}: a
 *       kernel of several steps inside, a {@code Slab} along each end.
 *   <li>To be right several steps on: {@code SlabGeometry} says which cells each of the {@code
 *       Stages} computes.
 *   <li>To cut what does not fit: {@code PartSize}.
 * </ul>
 */
package io.sparkstencil.kernels.program.plan;
