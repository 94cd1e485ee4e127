/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * How formats keep cells in files, one after another or in chunks, and what attributes say of them.
 */
package io.sparkstencil.spark.files.cells;
