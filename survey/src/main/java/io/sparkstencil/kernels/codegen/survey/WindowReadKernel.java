/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import java.util.List;

/**
 * The sliding-window experiment: thread i adds unit i modulo the window to unit i behind the window
 * and stores the sum, so that a window is read again and again while the rest streams past.
 * Parameters: {@link KernelParameter#INPUT}, {@link KernelParameter#OUTPUT} and {@link
 * KernelParameter#SHIFT}, the units of the window; a unit is 16 bytes.
 *
 * @param permille how many of a thousand lines of the window the second-level cache is asked to
 *     keep, by a policy for each load; 0 for plain loads and stores
 */
public record WindowReadKernel(int permille) implements SurveyKernel {
  /** Threads of a block. */
  public static final int THREADS = 256;

  /** Bytes of a unit. */
  public static final int UNIT = 16;

  @Override
  public String entryName() {
    return "survey_window_" + permille;
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k =
        new SurveyWriter(
            THREADS, KernelParameter.INPUT, KernelParameter.OUTPUT, KernelParameter.SHIFT);
    Register window = k.argument(KernelParameter.SHIFT);
    Register index = k.index();
    Register kept = k.global(KernelParameter.INPUT, k.b32("rem.u32", index, window), UNIT);
    Register passing = k.global(KernelParameter.INPUT, k.add(index, window), UNIT);
    Register to = k.global(KernelParameter.OUTPUT, index, UNIT);
    List<Register> a = k.unit(UNIT);
    List<Register> b = k.unit(UNIT);
    if (permille == 0) {
      k.load("ld.global", a, at(kept, 0));
      k.load("ld.global", b, at(passing, 0));
    } else {
      k.needs(PtxTarget.AMPERE_POLICIES);
      Literal fraction = Literal.f32(permille / 1000f);
      Register keep = k.b64("createpolicy.fractional.L2::evict_last.b64", fraction);
      Register pass = k.b64("createpolicy.fractional.L2::evict_first.b64", Literal.f32(1));
      String load = "ld.global.L2::cache_hint.v4.b32";
      k.put(load, new RegisterVector(a), at(kept, 0), keep);
      k.put(load, new RegisterVector(b), at(passing, 0), pass);
    }
    for (int i = 0; i < a.size(); i++) {
      k.put("add.s32", a.get(i), a.get(i), b.get(i));
    }
    k.store(permille == 0 ? "st.global" : "st.global.cs", at(to, 0), a);
    return k.finish(this, THREADS);
  }
}
