/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Frames that move over the rows of a series, and their bounds: those of Spark's window operator,
 * and faster ones of the same results.
 */
package io.sparkstencil.spark.catalyst.frames;
