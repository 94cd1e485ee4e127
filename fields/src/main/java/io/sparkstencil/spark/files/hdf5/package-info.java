/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Arrays in HDF5 files, which NetCDF-4 files are, too. Read only.
 *
 * <ul>
 *   <li>To open: {@code Hdf5File} reads the {@code Superblock}; {@code Storage} has the bytes by
 *       their addresses, whose checksums are {@code Lookup3}.
 *   <li>To find an array: {@code Links} of groups, in older files a {@code SymbolTable}, lead to an
 *       {@code ObjectHeader}.
 *   <li>To know its cells: {@code Datatype}, {@code Dataspace} and {@code FillNumber}; {@code
 *       Attributes} and {@code NetcdfNames} say what they stand for.
 *   <li>To find its cells: {@code Layout}; in chunks by a {@code ChunkIndex}: {@code ChunkTree},
 *       {@code ChunkList} with the entries of {@code GrowingList}, or {@code ChunkRecords}; {@code
 *       Filters} are the codecs of a chunk.
 *   <li>To keep many small things: {@code RecordTree}, {@code FractalHeap}, {@code GlobalHeap}.
 *   <li>To refuse: {@code UnsupportedHdf5}.
 * </ul>
 */
package io.sparkstencil.spark.files.hdf5;
