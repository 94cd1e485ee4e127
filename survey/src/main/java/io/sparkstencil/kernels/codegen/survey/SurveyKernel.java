/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.variant.KernelKey;

/** A kernel that measures: all that its text is made from. */
public interface SurveyKernel extends KernelKey {
  /** Returns the kernel's text and what launching it needs. */
  GeneratedKernel generate();
}
