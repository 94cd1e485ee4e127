/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The way to columns that the RAPIDS Accelerator has in GPU memory. Everything of RAPIDS is found
 * by name at run time, so that its jar is needed neither to build nor to run.
 */
package io.sparkstencil.spark.rapids;
