/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Rasters in TIFF files, which GeoTIFF and Cloud-Optimised GeoTIFF are.
 *
 * <ul>
 *   <li>To read: {@code TiffFile} opens a {@code TiffImage} by the tags of a {@code TiffDirectory}.
 *   <li>To write: {@code TiffWriter} has tasks write tiles, and puts a {@code TiffHead} before
 *       them.
 *   <li>To say where a raster lies on the Earth: {@code GeoTransform}.
 * </ul>
 */
package io.sparkstencil.spark.files.tiff;
