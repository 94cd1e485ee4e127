/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A signature of a function: the parameters that follow the array.
 *
 * @param parameters the parameters, in order
 */
public record Signature(List<Parameter> parameters) {
  /** Copies the list. */
  public Signature {
    parameters = List.copyOf(parameters);
  }

  /** Returns two signatures with these parameters: without and with a boundary. */
  static List<Signature> withBoundary(Parameter... parameters) {
    List<Parameter> longer = new ArrayList<>(List.of(parameters));
    longer.add(Parameter.BOUNDARY);
    return List.of(new Signature(List.of(parameters)), new Signature(longer));
  }

  static List<Signature> both(List<Signature> some, List<Signature> more) {
    List<Signature> all = new ArrayList<>(some);
    all.addAll(more);
    return Collections.unmodifiableList(all);
  }

  /** Returns the names of all arguments, as in {@code a, k, boundary}. */
  public String text() {
    StringBuilder text = new StringBuilder("a");
    for (Parameter parameter : parameters) {
      text.append(", ").append(parameter.name());
    }
    return text.toString();
  }
}
