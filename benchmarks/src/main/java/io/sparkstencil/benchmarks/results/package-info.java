/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Measurements, and the files and tables that hold them. */
package io.sparkstencil.benchmarks.results;
