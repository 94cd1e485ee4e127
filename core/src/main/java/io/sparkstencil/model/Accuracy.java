/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.model;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.NearestName;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Whether the order of additions is fixed, and with it the bits of the results.
 *
 * <pre>{@code
 * Stencil quick = Stencil.mean(Frame.radius(512)).withAccuracy(Accuracy.FAST);
 * }</pre>
 */
public enum Accuracy {
  /**
   * Each output adds its cells from left to right, starting from 0.0, and rounds every product and
   * every sum separately; a mean is that sum divided by the count. Every engine gives the same
   * bits.
   */
  EXACT,
  /**
   * As exact, but a sum with a product among its operands rounds both at once: programs by one rule
   * that every engine follows, weighted sums as a chain of {@link Math#fma} from 0.0 over the cells
   * from left to right, to which 0.0 is added, as to every exact sum. Other reductions have no
   * products, so theirs are exact. Every engine gives the same bits, and GPUs compute at twice the
   * rate, at up to four times for doubles on tensor cores.
   */
  FMA,
  /**
   * Sums may be added in another order, products fused with sums, and divisions replaced by
   * multiplications. Running sums that subtract are not allowed, so infinities and NaN affect only
   * the frames that contain them.
   */
  FAST;

  /**
   * Returns the accuracy that a text names, in any case.
   *
   * @throws InvalidStencilException if it names none of them
   */
  public static Accuracy parse(String text) {
    String name = requireNonNull(text, "text is null").strip();
    List<String> names =
        Stream.of(values()).map(accuracy -> accuracy.name().toLowerCase(Locale.ROOT)).toList();
    return Stream.of(values())
        .filter(accuracy -> accuracy.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidStencilException(
                    "unknown accuracy \"%s\"%s known accuracies are %s"
                        .formatted(
                            text, NearestName.question(name, names), String.join(", ", names))));
  }
}
