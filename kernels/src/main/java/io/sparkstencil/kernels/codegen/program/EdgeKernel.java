/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program;

import io.sparkstencil.kernels.codegen.program.FusedKernel.Launch;
import io.sparkstencil.kernels.codegen.program.FusedKernel.Span;
import java.util.List;

/**
 * Several steps of a program in one kernel, for cells along the ends of the fields: it holds the
 * boundary in each step. Made for arrays of one size, beside one {@link FusedKernel}.
 *
 * <p>The kernel writes no cell outside {@link Division#boxes}.
 */
public interface EdgeKernel extends PassKernel {
  /** Returns which cells this computes. */
  Division division();

  /**
   * Returns how to compute the cells of all boxes.
   *
   * @param resident blocks of this kernel that the whole device runs at the same time
   */
  Launch launch(int resident);

  /**
   * How kernels share the cells of an array.
   *
   * @param inside the cells that are left to the kernel that knows no boundary
   * @param boxes the cells along the ends, in boxes that do not overlap
   * @param covered all these cells together: a whole field, but along axes whose boundary is not
   *     held, whose ends are left to others
   */
  record Division(Span inside, List<Span> boxes, Span covered) {
    /** Copies the list. */
    public Division {
      boxes = List.copyOf(boxes);
    }
  }
}
