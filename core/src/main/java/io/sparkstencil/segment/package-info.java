/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Runs of consecutive cells with their neighbours. Imports the model. */
package io.sparkstencil.segment;
