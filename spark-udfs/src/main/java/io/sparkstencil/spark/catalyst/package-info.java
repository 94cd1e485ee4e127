/** Everything that touches Catalyst or Scala: plan nodes, operators, rows. */
package io.sparkstencil.spark.catalyst;
