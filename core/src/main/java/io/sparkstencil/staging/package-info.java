/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The layout of cells and halos in an engine's memory, and copying into it. Imports segments and
 * the model.
 */
package io.sparkstencil.staging;
