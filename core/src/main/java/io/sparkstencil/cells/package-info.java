/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Where cells lie: what the pipeline copies them from, engines' memory, and where results go. */
package io.sparkstencil.cells;
