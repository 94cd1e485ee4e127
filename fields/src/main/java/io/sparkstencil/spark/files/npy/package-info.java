/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Arrays in NumPy's npy format, read and written by box. Imports {@code files} alone. */
package io.sparkstencil.spark.files.npy;
