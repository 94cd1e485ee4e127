/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** What one look through CSV files finds. */
package io.sparkstencil.spark.csv;
