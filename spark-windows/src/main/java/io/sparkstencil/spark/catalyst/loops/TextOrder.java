/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.loops;

import io.sparkstencil.spark.catalyst.columns.TextMemory;
import java.util.Comparator;
import org.apache.spark.sql.catalyst.util.TypeUtils$;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;

/** Spark's order of texts, which a collation may give. Used by one thread. */
final class TextOrder {
  private final boolean binary;
  private final Comparator<Object> order;

  TextOrder(DataType type) {
    this.binary = type instanceof BinaryType;
    this.order = TypeUtils$.MODULE$.getInterpretedOrdering(type);
  }

  /** Compares two texts that are not null. */
  int compare(TextMemory memory, long one, long other) {
    return order.compare(text(memory, one), text(memory, other));
  }

  private Object text(TextMemory memory, long place) {
    return binary ? memory.text(place).getBytes() : memory.text(place);
  }
}
