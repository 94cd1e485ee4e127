/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * How the rows of each kind of input are brought together and given their halos, and what a task
 * does with them.
 */
package io.sparkstencil.spark.catalyst.inputs;
