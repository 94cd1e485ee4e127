/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.functions;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** A SQL function whose first argument is an array and whose others are constants. */
public interface SqlFunction {
  /** Returns all functions, in the order of the reference page. */
  static List<SqlFunction> all() {
    List<SqlFunction> all = new ArrayList<>(List.of(ArrayFunction.values()));
    all.addAll(List.of(ProgramFunction.values()));
    return all;
  }

  /** Returns the name in SQL. */
  String sqlName();

  /** Returns the signatures, shorter ones first: the parameters that follow the array. */
  List<List<Parameter>> signatures();

  /** Returns what the array may be, as a clause. */
  String array();

  /** Returns the description. */
  FunctionText text();

  /** Returns the numbers of arguments, including the array, that a call may have. */
  default List<Integer> argumentCounts() {
    TreeSet<Integer> counts = new TreeSet<>();
    signatures().forEach(signature -> counts.add(signature.size() + 1));
    return new ArrayList<>(counts);
  }

  /**
   * Returns the signature of a call.
   *
   * @param parameters the number of arguments after the array
   * @param lastIsText whether the last of them is a string
   */
  default List<Parameter> signature(int parameters, boolean lastIsText) {
    List<Parameter> found = null;
    for (List<Parameter> signature : signatures()) {
      if (signature.size() == parameters) {
        boolean endsInText =
            parameters > 0 && signature.get(parameters - 1).kind() == Parameter.ArgumentType.TEXT;
        if (found == null || endsInText == lastIsText) {
          found = signature;
        }
      }
    }
    if (found == null) {
      throw new IllegalArgumentException(
          "%s takes %s arguments, not %d".formatted(sqlName(), argumentCounts(), parameters + 1));
    }
    return found;
  }
}
