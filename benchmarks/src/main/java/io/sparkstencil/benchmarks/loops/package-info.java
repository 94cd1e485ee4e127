/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Stencils as loops in plain Java: baselines to compare engines with, and references to check. */
package io.sparkstencil.benchmarks.loops;
