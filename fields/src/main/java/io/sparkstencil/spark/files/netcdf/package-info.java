/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/** Arrays in NetCDF files of the classic formats: NetCDF-3, 64-bit offset and CDF-5. Read only. */
package io.sparkstencil.spark.files.netcdf;
