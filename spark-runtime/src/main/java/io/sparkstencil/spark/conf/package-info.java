/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The options of Spark Stencil: their list, reading and checking them, and the documents made of
 * it. Imports options of engines, never Spark; read at the edges and handed down as values.
 */
package io.sparkstencil.spark.conf;
