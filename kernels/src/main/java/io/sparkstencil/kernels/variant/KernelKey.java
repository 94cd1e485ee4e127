/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.variant;

/**
 * All that the text of a kernel is made from, as a value: equal keys have equal texts, so that a
 * kernel is loaded once for each.
 */
public interface KernelKey {
  /** Returns the name of the kernel in its module, a PTX identifier. */
  String entryName();
}
