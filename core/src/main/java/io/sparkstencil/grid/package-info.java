/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Boxes of the cells of a grid that no single array holds. Imports programs. */
package io.sparkstencil.grid;
