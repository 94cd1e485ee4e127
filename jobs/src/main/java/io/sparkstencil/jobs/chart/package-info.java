/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Curves over numbers or times, drawn as a PNG. */
package io.sparkstencil.jobs.chart;
