/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Arrays in HDF5 files, which NetCDF-4 files are, too. Read only. */
package io.sparkstencil.spark.files.hdf5;
