/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.move;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.KernelWriter;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.CacheHints;
import io.sparkstencil.kernels.variant.KernelKey;
import java.util.ArrayList;
import java.util.List;

/**
 * A plain copy in 16-byte units: the limit of what a single pass over memory can reach. Parameters:
 * {@link KernelParameter#INPUT}, {@link KernelParameter#OUTPUT} and {@link
 * KernelParameter#POSITIONS}, which counts units and is a multiple of those of a block.
 *
 * @param threadsPerBlock threads of a block
 * @param unitsPerThread units that each of them copies
 * @param hints what loads and stores tell the caches
 */
public record CopyKernel(int threadsPerBlock, int unitsPerThread, CacheHints hints)
    implements KernelKey {
  @Override
  public String entryName() {
    return "copy_b%d_u%d_%s".formatted(threadsPerBlock, unitsPerThread, hints.label());
  }

  /** Returns the kernel. */
  public GeneratedKernel generate() {
    KernelWriter k =
        new KernelWriter(
            List.of(KernelParameter.INPUT, KernelParameter.OUTPUT, KernelParameter.POSITIONS));
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    Register first = k.b32("mad.lo.u32", block, threadsPerBlock * unitsPerThread, thread);
    Register from = k.global(KernelParameter.INPUT, first, 16);
    Register to = k.global(KernelParameter.OUTPUT, first, 16);
    List<List<Register>> units = new ArrayList<>();
    for (int i = 0; i < unitsPerThread; i++) {
      units.add(k.registers(PtxType.B32, 4));
      k.load("ld.global" + hints.load(), units.get(i), at(from, 16 * i * threadsPerBlock));
    }
    for (int i = 0; i < unitsPerThread; i++) {
      k.store("st.global" + hints.store(), at(to, 16 * i * threadsPerBlock), units.get(i));
    }
    return k.finish(this, threadsPerBlock, threadsPerBlock * unitsPerThread, 0);
  }
}
