/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Frame;
import java.util.List;
import picocli.CommandLine.Option;

/** The options that say how far a frame reaches: in rows, or along the order column. */
final class FrameOptions {
  static final List<String> OF_ROWS = List.of("--radius", "--preceding", "--following");
  static final List<String> OF_ORDER = List.of("--range", "--before", "--after");

  @Option(
      names = "--radius",
      paramLabel = "K",
      description = "Rows on each side, 0 to 67108864; of savgol, 1 to 2048.")
  private Integer radius;

  @Option(
      names = "--preceding",
      paramLabel = "A",
      description = "Rows before the current one; if negative, the frame begins after it.")
  private Integer preceding;

  @Option(
      names = "--following",
      paramLabel = "B",
      description = "Rows after the current one; if negative, the frame ends before it.")
  private Integer following;

  @Option(
      names = "--range",
      paramLabel = "D",
      description =
          "Distance on each side along the order column, however many rows that is: 1h, \"7 days\","
              + " or a number.")
  private String range;

  @Option(
      names = "--before",
      paramLabel = "D",
      description = "Distance before the current row, as --range has it. Default with --after: 0.")
  private String before;

  @Option(
      names = "--after",
      paramLabel = "D",
      description = "Distance after the current row, as --range has it. Default with --before: 0.")
  private String after;

  Integer radius() {
    return radius;
  }

  /** Tells whether the frame counts rows. */
  boolean countsRows() {
    return radius != null || preceding != null || following != null;
  }

  /** Tells whether the frame is a range of the order column. */
  boolean isRange() {
    return range != null || before != null || after != null;
  }

  /**
   * Returns the frame.
   *
   * @param wanting what needs it, for messages
   * @throws InvalidStencilException if there is none, or two
   */
  WindowFrame frame(String wanting) {
    if (isRange() && countsRows()) {
      throw new InvalidStencilException(
          "--range, --before and --after cannot be combined with --radius, --preceding or --following; use distances or numbers of rows");
    }
    return isRange() ? rangeFrame() : new WindowFrame.OfRows(rowFrame(wanting));
  }

  private WindowFrame rangeFrame() {
    if (range != null && (before != null || after != null)) {
      throw new InvalidStencilException(
          "--range cannot be combined with --before or --after; use one or the other");
    }
    if (range != null) {
      OrderSpan span = OrderSpan.parse("--range", range);
      if (span.amount().signum() < 0) {
        throw new InvalidStencilException(
            "--range %s is below 0; give how far it reaches to each side, or a frame beside the row by --before and --after"
                .formatted(range));
      }
      return new WindowFrame.OfOrder(span, span);
    }
    return new WindowFrame.OfOrder(
        OrderSpan.parse("--before", before == null ? "0" : before),
        OrderSpan.parse("--after", after == null ? "0" : after));
  }

  /** Returns the frame of rows. */
  Frame rowFrame(String wanting) {
    if (radius != null && (preceding != null || following != null)) {
      throw new InvalidStencilException(
          "--radius cannot be combined with --preceding or --following; use one or the other");
    }
    if (radius != null) {
      return Frame.radius(radius);
    }
    if (preceding == null && following == null) {
      throw new InvalidStencilException(
          "%s needs a frame: --radius K, or --preceding A and --following B, or a distance along the order column, --range D, or --before D and --after D"
              .formatted(wanting));
    }
    return Frame.offsets(preceding == null ? 0 : -preceding, following == null ? 0 : following);
  }
}
