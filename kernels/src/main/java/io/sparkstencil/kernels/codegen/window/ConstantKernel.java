/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.CellType;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.variant.KernelVariant;
import java.util.ArrayList;
import java.util.List;

/** A count without nulls: every whole frame has the same, and no cell is read. */
final class ConstantKernel {
  private ConstantKernel() {}

  static GeneratedKernel generate(KernelVariant variant) {
    KernelFrame frame = new KernelFrame(variant);
    PtxWriter k = frame.k;
    List<Register> values = new ArrayList<>();
    for (int i = 0; i < variant.how().cellsPerThread(); i++) {
      values.add(
          k.make(
              frame.math.registers(),
              frame.math.move(),
              CellType.literal(variant.what().type(), variant.what().width())));
    }
    new OutputStore(frame, null).write(values, null);
    return frame.finish();
  }
}
