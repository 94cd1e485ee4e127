/** The exchange of cells between the partitions of one series. */
package io.sparkstencil.spark.halo;
