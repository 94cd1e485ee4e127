/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.util.List;
import scala.Product;

/**
 * What Scala generates for a case class, as Spark expects of nodes and expressions, except for
 * {@code equals} and {@code hashCode}, which cannot be default methods: they are those of {@link
 * #elements}.
 */
public interface CaseClass extends Product {
  /** Returns the parameters of the constructor, in order. */
  List<Object> elements();

  @Override
  default int productArity() {
    return elements().size();
  }

  @Override
  default Object productElement(int index) {
    return elements().get(index);
  }

  @Override
  default boolean canEqual(Object other) {
    return getClass().isInstance(other);
  }
}
