/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Which cells of a program are computed when, where they are in device memory, and the jobs that
 * compute them. No device is needed to make a plan.
 */
package io.sparkstencil.kernels.program.plan;
