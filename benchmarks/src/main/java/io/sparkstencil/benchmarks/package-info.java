/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Benchmarks by subject; each writes its results to files under {@code benchmarks/results}. */
package io.sparkstencil.benchmarks;
