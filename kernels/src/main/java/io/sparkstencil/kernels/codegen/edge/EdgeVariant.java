/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.edge;

import static java.util.Objects.requireNonNull;

import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelKey;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.StencilSpec;
import java.util.Locale;
import java.util.Optional;

/**
 * What is to be corrected after the kernel over the flat array, and how. Missing cells are staged
 * as 0, so sums and weighted sums are right already; the other reductions are done again over the
 * cells that are there. With nulls, missing cells count as nulls, so values are right already and
 * only some validity bytes are not.
 *
 * @param task what is corrected
 * @param reduction how cells become one value
 * @param type the type of cells
 * @param form how cut frames are read
 */
public record EdgeVariant(Task task, Reduction reduction, ElementType type, Form form)
    implements KernelKey {
  /** Cells of a frame from which outputs share a core; measured in docs/measurements.md. */
  static final int SHARED_CORE_FROM = 512;

  private static final int MAX_GRID_X = 65_535;
  private static final int MAX_GRID_Y = 65_535;

  /** What a kernel corrects. */
  public enum Task {
    /** Values of a batch without nulls: mean, min, max and count. */
    VALUES,
    /** Validity under the boundary valid: 0 at every clipped output. */
    CLIPPED_IS_NULL,
    /** Validity of a weighted sum under shrink: the taps outside the series do not matter. */
    WEIGHTED_VALIDITY
  }

  /** How cut frames are read. */
  public enum Form {
    /**
     * A warp takes a piece, its lanes take outputs, each from its first cell to its last. An output
     * costs as much as its frame has cells.
     */
    LANE_PER_OUTPUT,
    /**
     * A block takes neighbouring outputs, whose frames share all but a few cells; these it reduces
     * together. Only where order cannot matter or accuracy is fast.
     */
    SHARED_CORE
  }

  /** Checks the components. */
  public EdgeVariant {
    requireNonNull(task, "task is null");
    requireNonNull(reduction, "reduction is null");
    requireNonNull(type, "type is null");
    requireNonNull(form, "form is null");
    boolean sum = reduction == Reduction.SUM || reduction == Reduction.WEIGHTED_SUM;
    if (task == Task.VALUES && sum) {
      throw new IllegalArgumentException(
          "values of %s need no correction: missing cells are staged as 0".formatted(reduction));
    }
    boolean readsCells = task != Task.CLIPPED_IS_NULL && reduction != Reduction.COUNT;
    if (form == Form.SHARED_CORE && !readsCells) {
      throw new IllegalArgumentException(
          "%s of %s reads no cells that outputs could share".formatted(task, reduction));
    }
  }

  /**
   * Returns what there is to correct, or empty if nothing is.
   *
   * @param nullable whether the batch has nulls
   */
  public static Optional<EdgeVariant> of(StencilSpec spec, boolean nullable) {
    return taskFor(spec, nullable)
        .map(task -> new EdgeVariant(task, spec.reduction(), spec.type(), formFor(task, spec)));
  }

  private static Optional<Task> taskFor(StencilSpec spec, boolean nullable) {
    if (!spec.boundary().leavesMissing()) {
      return Optional.empty();
    }
    boolean weighted = spec.reduction() == Reduction.WEIGHTED_SUM;
    if (!nullable) {
      return weighted || spec.reduction() == Reduction.SUM
          ? Optional.empty()
          : Optional.of(Task.VALUES);
    }
    if (spec.boundary().mode() == Boundary.Mode.VALID) {
      return Optional.of(Task.CLIPPED_IS_NULL);
    }
    return weighted ? Optional.of(Task.WEIGHTED_VALIDITY) : Optional.empty();
  }

  private static Form formFor(Task task, StencilSpec spec) {
    boolean anyOrder =
        switch (task) {
          case VALUES ->
              spec.reduction() != Reduction.COUNT && FlatStencil.of(spec, 0, false).groupsFreely();
          case CLIPPED_IS_NULL -> false;
          case WEIGHTED_VALIDITY -> true;
        };
    return anyOrder && spec.frame().width() >= SHARED_CORE_FROM
        ? Form.SHARED_CORE
        : Form.LANE_PER_OUTPUT;
  }

  @Override
  public String entryName() {
    String name = "edge_%s_%s_%s".formatted(task, reduction, type).toLowerCase(Locale.ROOT);
    return form == Form.SHARED_CORE ? name + "_core" : name;
  }

  /** Returns the blocks of the grid's first dimension if no piece has more clipped outputs. */
  public int gridX(int mostClippedOutputs) {
    int together = form == Form.SHARED_CORE ? EdgeKernel.THREADS_SHARING : 32;
    // One more: outputs clipped on the left and on the right are different groups.
    int groups = mostClippedOutputs / together + (form == Form.SHARED_CORE ? 2 : 1);
    return Math.min(MAX_GRID_X, groups);
  }

  /** Returns the blocks of the grid's second dimension. */
  public int gridY(int pieces) {
    int perBlock = form == Form.SHARED_CORE ? 1 : EdgeKernel.THREADS / 32;
    return Math.max(1, Math.min(MAX_GRID_Y, (pieces + perBlock - 1) / perBlock));
  }
}
