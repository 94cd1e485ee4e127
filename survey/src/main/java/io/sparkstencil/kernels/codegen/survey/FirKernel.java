/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A weighted sum of the binary32 cells from the thread's own on, by multiply-adds in the order of
 * the taps; where the index diverges, lane l starts at tap l modulo their number, and wraps.
 * Parameters: {@link KernelParameter#INPUT}, {@link KernelParameter#OUTPUT}, and the weights.
 *
 * @param weights one per tap
 * @param placement where they are
 */
public record FirKernel(List<Float> weights, Placement placement) implements SurveyKernel {
  /** Threads of a block. */
  public static final int THREADS = 256;

  private static final int VECTOR = 4;

  /** Where weights are. */
  public enum Placement {
    /** In the instructions. */
    IMMEDIATE,
    /** In the constant bank, the same for all lanes at a time. */
    CONSTANT,
    /** In the constant bank, another for each lane. */
    CONSTANT_DIVERGENT,
    /** In global memory, through the read-only path. */
    READ_ONLY,
    /** In shared memory. */
    SHARED;

    private boolean isConstant() {
      return this == CONSTANT || this == CONSTANT_DIVERGENT;
    }
  }

  /** Copies the weights. */
  public FirKernel {
    weights = List.copyOf(weights);
  }

  @Override
  public String entryName() {
    return "survey_fir_w%d_%s_%08x"
        .formatted(weights.size(), placement.name().toLowerCase(Locale.ROOT), weights.hashCode());
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k =
        new SurveyWriter(
            THREADS, KernelParameter.INPUT, KernelParameter.OUTPUT, KernelParameter.WEIGHTS);
    k.weights(bytes());
    Register own = k.global(KernelParameter.INPUT, k.index(), SurveyWriter.WORD);
    Register base = base(k);
    Register sum = k.make(PtxType.F32, "mov.f32", Literal.f32(0));
    if (placement == Placement.CONSTANT_DIVERGENT) {
      diverge(k, own, base, sum);
    } else {
      for (int tap = 0; tap < weights.size(); tap++) {
        int offset = tap * SurveyWriter.WORD;
        Register cell = k.make(PtxType.F32, "ld.global.nc.f32", at(own, offset));
        Object weight =
            switch (placement) {
              case IMMEDIATE -> Literal.f32(weights.get(tap));
              case READ_ONLY -> k.make(PtxType.F32, "ld.global.nc.f32", at(base, offset));
              case SHARED -> k.make(PtxType.F32, "ld.shared.f32", at(base, offset));
              default -> k.make(PtxType.F32, "ld.const.f32", at(new Symbol("bank"), offset));
            };
        k.put("fma.rn.f32", sum, cell, weight, sum);
      }
    }
    Register to = k.global(KernelParameter.OUTPUT, k.index(), SurveyWriter.WORD);
    k.put("st.global.f32", at(to, 0), sum);
    return k.finish(this, THREADS);
  }

  private ByteBuffer bytes() {
    int padded = (weights.size() + VECTOR - 1) / VECTOR * VECTOR;
    ByteBuffer bytes = ByteBuffer.allocate(padded * Float.BYTES).order(ByteOrder.nativeOrder());
    weights.forEach(bytes::putFloat);
    return bytes.rewind();
  }

  /** Returns the address of the first weight, or null if it needs none. */
  private Register base(SurveyWriter k) {
    if (placement.isConstant()) {
      String texts =
          weights.stream().map(w -> Literal.f32(w).text()).collect(Collectors.joining(", "));
      k.declare(".const .align 16 .f32 bank[%d] = {%s}".formatted(weights.size(), texts));
      return k.b64("mov.u64", new Symbol("bank"));
    }
    if (placement == Placement.READ_ONLY) {
      return k.argument(KernelParameter.WEIGHTS);
    }
    if (placement == Placement.IMMEDIATE) {
      return null;
    }
    Register tile = k.shared(weights.size() * SurveyWriter.WORD);
    Register isFilling = k.test("setp.lt.u32", k.thread, weights.size());
    k.where(
        isFilling,
        "filled",
        () -> {
          Register from = k.global(KernelParameter.WEIGHTS, k.thread, SurveyWriter.WORD);
          Register weight = k.make(PtxType.F32, "ld.global.nc.f32", at(from, 0));
          Register to = k.b32("mad.lo.u32", k.thread, SurveyWriter.WORD, tile);
          k.put("st.shared.f32", at(to, 0), weight);
        });
    k.put("bar.sync", 0);
    return tile;
  }

  private void diverge(SurveyWriter k, Register own, Register base, Register sum) {
    Register tap = k.b32("rem.u32", k.lane(), weights.size());
    Register zero = k.b32("mov.u32", 0);
    for (int i = 0; i < weights.size(); i++) {
      Register cellAt = k.b64("mad.wide.u32", tap, SurveyWriter.WORD, own);
      Register weightAt = k.b64("mad.wide.u32", tap, SurveyWriter.WORD, base);
      Register cell = k.make(PtxType.F32, "ld.global.nc.f32", at(cellAt, 0));
      Register weight = k.make(PtxType.F32, "ld.const.f32", at(weightAt, 0));
      k.put("fma.rn.f32", sum, cell, weight, sum);
      Register next = k.add(tap, 1);
      Register wraps = k.test("setp.eq.u32", next, weights.size());
      tap = k.select(zero, next, wraps);
    }
  }
}
