/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelKey;
import io.sparkstencil.kernels.variant.KernelVariant;
import java.util.List;

/** Where kernels come from: which variants suit a stencil on one device, and the text of each. */
interface KernelSource {
  /** Returns the variants to try, the fastest first; at least one. */
  List<KernelVariant> candidates(FlatStencil what);

  /** Returns the text of a kernel. */
  GeneratedKernel generate(KernelKey key);
}
