/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;

/**
 * The cells that follow a thread's first one, each loaded when it is first asked for. A window is
 * used in straight-line code, in which what was loaded stays in registers as long as it is needed.
 */
interface CellWindow {
  /** Returns the cell {@code offset} cells after the first; at least 0. */
  Cell cell(int offset);
}
