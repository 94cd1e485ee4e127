/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Kernels that measure a device: each does one thing, so that its time says what that thing costs.
 * Each has a result that the CPU can compute as well.
 */
package io.sparkstencil.kernels.codegen.survey;
