/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** CSV files looked through before they are read as a table. */
package io.sparkstencil.spark.catalyst.csv;
