/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** SQL functions over array columns, with and without the RAPIDS Accelerator. */
package io.sparkstencil.benchmarks.arrays;
