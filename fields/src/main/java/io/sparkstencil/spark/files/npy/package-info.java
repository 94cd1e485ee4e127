/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Arrays in NumPy's npy format, read and written by box. Imports {@code files} alone.
 *
 * <ul>
 *   <li>To read: {@code NpyFile}, whose {@code NpyHeader} is read by {@code NpyHeaderText}.
 *   <li>To write: {@code LocalNpyWriter} in place; elsewhere {@code PartsNpyWriter} writes an
 *       {@code NpyPart} for each box, and {@code NpyJoin} joins them.
 * </ul>
 */
package io.sparkstencil.spark.files.npy;
