/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Columns that are shuffled, in as few bits as they need. */
package io.sparkstencil.spark.catalyst.packed;
