/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.move;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelArguments;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
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
    PtxWriter k = new PtxWriter();
    KernelArguments addresses =
        new KernelArguments(k, List.of(KernelParameter.INPUT, KernelParameter.OUTPUT));
    Register source = addresses.argument(KernelParameter.INPUT);
    Register target = addresses.argument(KernelParameter.OUTPUT);
    k.parameter("u32", "positions"); // not read
    Register thread = k.b32("mov.u32", Symbol.TID_X);
    Register block = k.b32("mov.u32", Symbol.CTAID_X);
    Register first =
        k.b32("mad.lo.u32", block, Literal.of(threadsPerBlock * unitsPerThread), thread);
    Register from = k.b64("mad.wide.u32", first, Literal.of(16), source);
    Register to = k.b64("mad.wide.u32", first, Literal.of(16), target);
    List<RegisterVector> units = new ArrayList<>();
    for (int i = 0; i < unitsPerThread; i++) {
      RegisterVector unit = new RegisterVector(k.registers(PtxType.B32, 4));
      k.put(
          "ld.global%s.v4.b32".formatted(hints.load()),
          unit,
          Address.at(from, 16 * i * threadsPerBlock));
      units.add(unit);
    }
    for (int i = 0; i < unitsPerThread; i++) {
      k.put(
          "st.global%s.v4.b32".formatted(hints.store()),
          Address.at(to, 16 * i * threadsPerBlock),
          units.get(i));
    }
    return GeneratedKernel.finish(
        k,
        this,
        threadsPerBlock,
        threadsPerBlock * unitsPerThread,
        0,
        List.of(KernelParameter.INPUT, KernelParameter.OUTPUT, KernelParameter.POSITIONS));
  }
}
