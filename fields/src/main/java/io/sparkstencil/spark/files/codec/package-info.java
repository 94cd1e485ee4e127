/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** What Zarr makes of the cells of a chunk before they are stored. Imports {@code files} alone. */
package io.sparkstencil.spark.files.codec;
