/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.gpu;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.edge.EdgeVariant;
import io.sparkstencil.kernels.codegen.move.PieceKernel;
import io.sparkstencil.kernels.codegen.move.ValidityKernel;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.model.StencilSpec;
import java.util.List;
import java.util.Optional;

/** Where kernels come from: which variants suit a stencil on one device, and their text. */
interface KernelSource {
  /** Returns the variants to try, the fastest first; at least one. */
  List<KernelVariant> candidates(FlatStencil what);

  /** Returns the text of a variant. */
  GeneratedKernel generate(KernelVariant variant);

  /** Returns the kernel that corrects outputs whose frame is cut at the edge of its series. */
  GeneratedKernel edges(EdgeVariant variant);

  /** Returns the kernel that moves cells of pieces within the device. */
  GeneratedKernel pieces(PieceKernel.Task task);

  /** Returns the kernel that converts between validity bytes and bits. */
  GeneratedKernel validity(ValidityKernel.Task task);

  /** Returns why no kernel can be made for {@code spec}, or empty. */
  Optional<String> reasonAgainst(StencilSpec spec);
}
