/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Windows between two bounds over one series: how far frames reach, which rows beside its own a
 * task needs for them, and its own rows with the results of the frames.
 */
package io.sparkstencil.spark.catalyst.bounded;
