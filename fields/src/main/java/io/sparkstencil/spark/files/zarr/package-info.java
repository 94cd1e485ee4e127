/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Arrays and groups of Zarr: version 3 is read and written, version 2 is read. Imports {@code
 * files} and the codecs.
 */
package io.sparkstencil.spark.files.zarr;
