/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Fields in files of any format, which paths tell. Imports the packages of all formats. */
package io.sparkstencil.spark.files.paths;
