/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Arrays and groups of Zarr: version 3 is read and written, version 2 is read. Imports {@code
 * files} and the codecs.
 *
 * <ul>
 *   <li>To read an array: {@code ZarrArray} has {@code ArrayMetadata}, which {@code Version3} or
 *       {@code Version2} make of {@code ZarrJson}; {@code ChunkKeys} name the files of chunks,
 *       {@code FillValue} is the number of cells that nobody wrote; {@code CodecsJson} and {@code
 *       FiltersJson} are the codecs. {@code NoArray} says why a folder is none.
 *   <li>To write: {@code ZarrLayout} says how an array is stored, {@code ZarrCompression} how it is
 *       compressed; {@code ZarrWriter} writes chunks.
 *   <li>To have several arrays: {@code ZarrGroup}; {@code GroupSums} say what it was when it was
 *       complete; {@code ZarrDataset} is one that xarray opens.
 * </ul>
 */
package io.sparkstencil.spark.files.zarr;
