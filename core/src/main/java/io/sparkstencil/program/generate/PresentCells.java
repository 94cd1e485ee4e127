/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program.generate;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.program.Field;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.StencilProgram;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * How the mean, the minimum, the maximum or the median over boxes of an image leaves out cells that
 * are missing. A result is made of the cells of its box that are there, those outside the image
 * among them, and is missing where there are none. Results of whole boxes have the bits of the
 * filter.
 *
 * <pre>{@code
 * PresentCells mean = new PresentCells(PresentCells.BoxReduction.MEAN, List.of(1, 1));
 * StencilProgram whole = mean.filter(); // for an image that lacks no cell
 * }</pre>
 *
 * @param kind what is computed
 * @param radii cells on each side: of rows, and of columns
 */
public record PresentCells(BoxReduction kind, List<Integer> radii) implements Serializable {
  private static final String FIELD = "u";

  /** What is computed of the cells of a box. */
  public enum BoxReduction {
    /** The mean: {@link ImageFilters#mean}. */
    MEAN(0),
    /** The least cell: {@link ImageFilters#min}. */
    MIN(Double.NaN),
    /** The greatest cell: {@link ImageFilters#max}. */
    MAX(Double.NEGATIVE_INFINITY),
    /** The median: {@link Focal#median}, which leaves out NaN as well. */
    MEDIAN(Double.NaN);

    private final double substitute;

    BoxReduction(double substitute) {
      this.substitute = substitute;
    }
  }

  /** Checks that there are two radii. */
  public PresentCells {
    radii = List.copyOf(radii);
    if (radii.size() != 2) {
      throw new InvalidStencilException(
          "the radii %s of an image; use one for its rows and one for its columns"
              .formatted(radii));
    }
  }

  /** Returns the filter for images without missing cells. */
  public StencilProgram filter() {
    int[] each = each();
    return switch (kind) {
      case MEAN -> ImageFilters.mean(each);
      case MIN -> ImageFilters.min(each);
      case MAX -> ImageFilters.max(each);
      case MEDIAN -> {
        if (each[0] != each[1]) {
          throw new InvalidStencilException(
              "the radii %s of a median; use the same for rows and columns".formatted(radii));
        }
        yield StencilProgram.of(
            2,
            p -> {
              Field u = p.field(FIELD);
              p.update(u, Focal.median(u, each[0]));
            });
      }
    };
  }

  private int[] each() {
    return radii.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns what stands in place of a missing cell: it changes no minimum, maximum or sum. */
  public double substitute() {
    return kind.substitute;
  }

  /**
   * Returns the program that counts the missing cells of each box, where marks of 1 are missing.
   *
   * @param filter the filter with its boundary
   */
  public StencilProgram counts(StencilProgram filter) {
    return sums(filter, 0, 0); // constants outside are there
  }

  /**
   * Returns the program that sums the cells of each box, if {@link #finish} needs them.
   *
   * @param filter the filter with its boundary
   */
  public Optional<StencilProgram> sums(StencilProgram filter) {
    return kind == BoxReduction.MEAN
        ? Optional.of(sums(filter, 1, 2L * radii.get(0) + 1))
        : Optional.empty();
  }

  /** Returns sums of boxes; constants outside are multiplied, those outside sums along rows too. */
  private StencilProgram sums(StencilProgram filter, double scale, double scaleOfSums) {
    StencilProgram sums = ImageFilters.sum(each());
    for (String field : List.copyOf(sums.fields())) {
      String ruled = filter.fields().contains(field) ? field : FIELD;
      FieldBoundary rules = filter.boundaries().get(filter.field(ruled));
      double factor = field.equals(FIELD) ? scale : scaleOfSums;
      sums = sums.withBoundary(field, scaled(rules, factor));
    }
    return sums;
  }

  private static FieldBoundary scaled(FieldBoundary rules, double factor) {
    return new FieldBoundary(scaled(rules.low(), factor), scaled(rules.high(), factor));
  }

  private static List<Boundary> scaled(List<Boundary> sides, double factor) {
    return sides.stream()
        .map(
            side ->
                side.copiesCells() || factor == 1
                    ? side
                    : Boundary.constant(factor == 0 ? 0 : factor * side.constant()))
        .toList();
  }

  /**
   * Makes results of what the programs have computed.
   *
   * @param results of the filter, an array of float or double
   * @param sums of the cells that there are; null if there is no program for them
   * @param counts of missing cells; become 1 where a result is missing, and 0 elsewhere
   */
  public void finish(Object results, Object sums, float[] counts) {
    float all = 1;
    for (int radius : radii) {
      all *= 2 * radius + 1;
    }
    for (int i = 0; i < counts.length; i++) {
      float there = all - counts[i];
      counts[i] = there == 0 ? 1 : 0;
      if (sums == null || there == 0 || there == all) {
        continue;
      }
      // a sum can be too large for its type although the mean is not
      if (results instanceof float[] floats) {
        float sum = ((float[]) sums)[i];
        floats[i] = Float.isFinite(sum) ? sum / there : floats[i] * (all / there);
      } else {
        double[] doubles = (double[]) results;
        double sum = ((double[]) sums)[i];
        doubles[i] = Double.isFinite(sum) ? sum / there : doubles[i] * ((double) all / there);
      }
    }
  }
}
