/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Series that find no room in memory: sorted runs of their rows, on disk, which are merged. */
package io.sparkstencil.spark.catalyst.spills;
