/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Stencil programs on a GPU and on the CPU, against the machine's limits and other codes. */
package io.sparkstencil.benchmarks.programs;
