/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Rules outside the grid as the command line writes them. */
final class BoundaryOption {
  private static final Pattern OF_FIELD = Pattern.compile("\\s*([A-Za-z_]\\w*)\\s*:(.*)");
  private static final Pattern PERIODIC = Pattern.compile("\\bperiodic\\b");

  private BoundaryOption() {}

  /**
   * Returns a program with other rules.
   *
   * @param option {@code periodic}, {@code x=periodic,y.low=constant:0}, or the same for one field
   *     after its name, {@code u:x=periodic}
   */
  static StencilProgram apply(StencilProgram program, String option) {
    Matcher ofField = OF_FIELD.matcher(option);
    String rules = option;
    if (ofField.matches() && program.fields().contains(ofField.group(1))) {
      List<String> prefixed = new ArrayList<>();
      for (String rule : ofField.group(2).split(",", -1)) {
        prefixed.add(ofField.group(1) + (rule.contains("=") ? "." : "=") + rule.strip());
      }
      rules = String.join(",", prefixed);
    }
    return BoundaryText.apply(program, PERIODIC.matcher(rules).replaceAll("wrap"));
  }
}
