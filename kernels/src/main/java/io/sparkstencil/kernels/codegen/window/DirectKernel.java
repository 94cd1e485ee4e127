/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.KernelVariant;
import java.util.List;

/** Every tap is a global load; what neighbours share is left to the L1 cache. */
final class DirectKernel {
  private final KernelFrame frame;
  private final PtxWriter k;
  private final OutputStore store;
  private final Weighting weights;

  private DirectKernel(KernelVariant variant) {
    this.frame = new KernelFrame(variant);
    this.k = frame.k;
    this.store = new OutputStore(frame, null);
    this.weights = new Weighting(frame, 0);
  }

  static GeneratedKernel generate(KernelVariant variant) {
    DirectKernel kernel = new DirectKernel(variant);
    kernel.write();
    return kernel.frame.finish();
  }

  private void write() {
    int cells = frame.how.outputsPerBlock() + frame.what.width() - 1 + frame.skew;
    Register inside = frame.areStaged(frame.firstCell, cells + frame.unit - 1);
    Register own =
        k.b32("mad.lo.u32", frame.thread, Literal.of(frame.how.cellsPerThread()), frame.firstCell);
    Symbol careful = k.label("careful");
    k.putUnless(inside, "bra", careful);
    writeBody(own, false);
    k.put("ret");
    k.place(careful);
    writeBody(own, true);
  }

  private void writeBody(Register own, boolean careful) {
    List<Cell> sums = SequentialForm.write(frame, new GlobalWindow(frame, own, careful), weights);
    store.write(frame.math.finish(sums), frame.math.validity(sums));
  }
}
