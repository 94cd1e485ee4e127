/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Finds cells of blocks that grow without bound or cease to be numbers. */
package io.sparkstencil.grid.watch;
