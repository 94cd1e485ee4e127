/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** The survey of a device: one class for each experiment, and what runs them in their order. */
package io.sparkstencil.kernels.survey;
