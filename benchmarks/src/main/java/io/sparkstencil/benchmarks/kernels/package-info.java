/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Kernels on one GPU, without Spark, against the best copy and the libraries of Python. */
package io.sparkstencil.benchmarks.kernels;
