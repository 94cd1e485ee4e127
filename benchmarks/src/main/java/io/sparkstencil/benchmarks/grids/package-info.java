/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Grids over executors, against their programs alone and against what Spark's users have. */
package io.sparkstencil.benchmarks.grids;
