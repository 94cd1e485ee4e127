/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Benchmarks, and the files that they write their results to. */
package io.sparkstencil.benchmarks;
