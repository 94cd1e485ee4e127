/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Whether the order of additions is fixed, and with it the bits of the results. */
public enum Accuracy {
  /**
   * Each output adds its cells from left to right, starting from 0.0, and rounds every product and
   * every sum separately; a mean is that sum divided by the count. Every engine gives the same
   * bits.
   */
  EXACT,
  /**
   * As exact, but for programs: a sum with a product among its operands rounds both at once, by one
   * rule that every engine follows. Every engine gives the same bits, and GPUs compute at twice the
   * rate.
   */
  FMA,
  /**
   * Sums may be added in another order, products fused with sums, and divisions replaced by
   * multiplications. Running sums that subtract are not allowed, so infinities and NaN affect only
   * the frames that contain them.
   */
  FAST;

  /** Returns the accuracies of reductions of frames, which have no rule for {@link #FMA}. */
  public static List<Accuracy> ofFrames() {
    return List.of(EXACT, FAST);
  }

  /** Returns the accuracies of programs. */
  public static List<Accuracy> ofPrograms() {
    return List.of(values());
  }

  /**
   * Returns the accuracy that a text names, in any case.
   *
   * @param known those that there are where the text stands
   * @throws InvalidStencilException if it names none of them
   */
  public static Accuracy parse(String text, List<Accuracy> known) {
    String name = requireNonNull(text, "text is null").strip();
    return known.stream()
        .filter(accuracy -> accuracy.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidStencilException(
                    "unknown accuracy \"%s\"; known accuracies are %s"
                        .formatted(
                            text,
                            known.stream()
                                .map(accuracy -> accuracy.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", ")))));
  }
}
