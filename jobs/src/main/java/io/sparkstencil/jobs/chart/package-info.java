/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Curves over numbers or times and fields as colours, drawn as PNGs, and moving as GIFs. */
package io.sparkstencil.jobs.chart;
