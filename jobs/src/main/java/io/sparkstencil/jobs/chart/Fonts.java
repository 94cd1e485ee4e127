/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import io.sparkstencil.error.InvalidStencilException;
import java.awt.AWTError;
import java.awt.GraphicsEnvironment;
import java.util.Locale;
import java.util.Optional;

/** Whether this JVM finds fonts, without which it draws nothing. Servers often have none. */
public final class Fonts {
  /** How to get some. */
  public static final String REMEDY =
      "install fontconfig and a font, such as the packages fontconfig and fonts-dejavu";

  private Fonts() {}

  /** Looks for fonts once, which takes a while. */
  private static final class Search {
    static final Search DONE = new Search();

    final int families;
    final String failure; // null if there are some

    private Search() {
      int found = 0;
      String why = "it has none";
      try {
        found =
            GraphicsEnvironment.getLocalGraphicsEnvironment()
                .getAvailableFontFamilyNames(Locale.ROOT)
                .length;
      } catch (RuntimeException | LinkageError | InternalError | AWTError e) {
        why = e.toString();
      }
      families = found;
      failure = found > 0 ? null : why;
    }
  }

  /** Returns why nothing can be drawn; empty if there are fonts. */
  public static Optional<String> missingBecause() {
    return Optional.ofNullable(Search.DONE.failure).map("this Java finds no fonts (%s)"::formatted);
  }

  /** Returns the number of font families. */
  public static int families() {
    return Search.DONE.families;
  }

  /**
   * Checks that pictures can be drawn.
   *
   * @param wish what asks for a picture, such as an option
   * @throws InvalidStencilException if there are no fonts
   */
  public static void require(String wish) {
    missingBecause()
        .ifPresent(
            reason -> {
              throw new InvalidStencilException(
                  "%s needs fonts, but %s; %s".formatted(wish, reason, REMEDY));
            });
  }
}
