/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What Zarr, HDF5 and TIFF make of the cells of a chunk before they are stored. Of the formats,
 * imports none.
 *
 * <ul>
 *   <li>To cut: {@code ChunkGrid}.
 *   <li>To decode: a {@code CodecChain} reads {@code ChunkBytes}: a {@code CellsCodec} makes cells
 *       of bytes, {@code BytesCodec}s make bytes of bytes; {@code ReadAs} says what cells are
 *       wanted as.
 *   <li>Cells: {@code PlainCells}, or {@code Shards}, which hold smaller chunks.
 *   <li>Compression: {@code Compression} for gzip, zlib and zstd; {@code Blosc} with {@code
 *       BloscLz}; {@code Lzf}, {@code Lzw}, {@code RunLengths}.
 *   <li>Order of bytes and differences: {@code ShuffledBytes}, {@code PackedBits}, {@code
 *       Predictor}, {@code NumberFilter}.
 *   <li>Checksums: {@code Checksum}, {@code LeadingChecksum}, {@code FletcherChecksum}.
 * </ul>
 */
package io.sparkstencil.spark.files.codec;
