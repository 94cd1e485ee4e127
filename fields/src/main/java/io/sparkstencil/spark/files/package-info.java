/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What file formats of fields share: reading and writing by box, types of cells in files, and files
 * that appear whole. Stands below the packages of the formats.
 */
package io.sparkstencil.spark.files;
