/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.chart;

import io.sparkstencil.error.InvalidStencilException;
import java.awt.Color;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** What pictures of fields look like. */
public final class PictureOptions {
  private static final Pattern HEX = Pattern.compile("#?[0-9a-fA-F]{6}");

  @Option(
      names = "--title",
      paramLabel = "TEXT",
      description = "What stands above the picture. Default: the field and its steps.")
  private String title;

  @Option(
      names = "--quantity",
      paramLabel = "TEXT",
      description =
          "What colours show, with its unit, as in \"slope (degrees)\". Default: the field; without"
              + " any step, what its file calls it.")
  private String quantity;

  @Option(
      names = "--range",
      paramLabel = "LOW:HIGH",
      description =
          "The numbers from the first colour to the last, whatever the cells are, as in -2:30."
              + " Default: those of the cells.")
  private String range;

  @Option(
      names = "--colors",
      paramLabel = "MAP",
      description =
          "sequential, diverging or grey. Default: diverging for numbers on both sides of 0, else"
              + " sequential.")
  private String colors;

  @Option(
      names = "--missing",
      paramLabel = "TEXT[=RRGGBB]",
      description =
          "What cells without a number are, as in land or land=d8c9a8, where their colour is given,"
              + " too. Default: no value.")
  private String missing;

  /** Returns the title, or another one if none was given. */
  public String title(String other) {
    return title == null ? other : title;
  }

  /** Returns what colours show, if it was given. */
  public Optional<String> quantity() {
    return Optional.ofNullable(quantity);
  }

  /**
   * Returns the look.
   *
   * @throws InvalidStencilException if an option is wrong
   */
  public FieldLook look() {
    String text = missing == null ? FieldLook.AUTO.missing() : missing;
    Color color = FieldLook.AUTO.missingColor();
    int equals = text.lastIndexOf('=');
    if (equals >= 0) {
      String hex = text.substring(equals + 1);
      if (!HEX.matcher(hex).matches()) {
        throw new InvalidStencilException(
            "--missing %s: \"%s\" is no colour; write six digits of base 16, as in land=d8c9a8"
                .formatted(missing, hex));
      }
      color = new Color(Integer.parseInt(hex.replace("#", ""), 16));
      text = text.substring(0, equals);
    }
    return new FieldLook(colorMap(), valueRange(), text, color);
  }

  private ColorMap colorMap() {
    if (colors == null) {
      return null;
    }
    try {
      return ColorMap.valueOf(colors.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new InvalidStencilException(
          "--colors %s; use sequential, diverging or grey".formatted(colors), e);
    }
  }

  private ValueRange valueRange() {
    if (range == null) {
      return null;
    }
    String[] ends = range.split(":", -1);
    try {
      double least = Double.parseDouble(ends[0]);
      double greatest = ends.length == 2 ? Double.parseDouble(ends[1]) : Double.NaN;
      if (least < greatest && Double.isFinite(greatest - least)) {
        return new ValueRange(least, greatest);
      }
    } catch (NumberFormatException e) {
      throw refused(e);
    }
    throw refused(null);
  }

  private InvalidStencilException refused(Exception cause) {
    return new InvalidStencilException(
        "--range %s is no range; write two numbers, the lower one first, as in 0:30 or -2:2"
            .formatted(range),
        cause);
  }
}
