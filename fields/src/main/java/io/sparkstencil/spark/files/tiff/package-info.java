/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Rasters in TIFF files, which GeoTIFF and Cloud-Optimised GeoTIFF are. Read only. */
package io.sparkstencil.spark.files.tiff;
