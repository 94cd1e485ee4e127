/**
 * The options of Spark Stencil: their list, reading and checking them, and the documents made of
 * it. Imports neither Spark nor engines; read at the edges and handed down as values.
 */
package io.sparkstencil.spark.conf;
