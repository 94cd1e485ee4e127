/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.error.InvalidStencilException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The names that the axes, fields and parameters of programs can have. */
public final class ProgramNames {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z_0-9]*");

  /** Words that mean something else in program texts. */
  private static final Set<String> RESERVED =
      Set.of("and", "or", "not", "min", "max", "abs", "sqrt", "fma", "where", "laplacian");

  private ProgramNames() {}

  /** Returns whether program texts have another use for a word. */
  public static boolean isReserved(String word) {
    return RESERVED.contains(word);
  }

  /** Checks the names of axes. */
  static void requireAxes(List<String> axes) {
    axes.forEach(ProgramNames::require);
    if (new HashSet<>(axes).size() < axes.size()) {
      throw new InvalidStencilException(
          "the axes %s have equal names; give each its own".formatted(axes));
    }
  }

  /** Checks the name of a field or parameter. */
  static void require(String name, List<String> axes) {
    require(name);
    if (axes.contains(name)) {
      throw new InvalidStencilException(
          "%s is an axis; use another name, or give the axes other names".formatted(name));
    }
  }

  private static void require(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidStencilException(
          "\"%s\" is no name; use letters, digits and underscores, beginning with a letter"
              .formatted(name));
    }
    if (isReserved(name)) {
      throw new InvalidStencilException(
          "%s has a meaning in program texts; use another name".formatted(name));
    }
  }
}
