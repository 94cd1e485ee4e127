/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.survey.RateKernel.Operation;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.List;

/**
 * Reads the clock of the multiprocessor before and after a loop. Each thread stores the ticks
 * between in 8 bytes, then the sum of its chains in 4 bytes behind all of them. Parameters: {@link
 * KernelParameter#OUTPUT} and {@link KernelParameter#POSITIONS}, the threads of the grid.
 *
 * @param turns how often {@link RateKernel#INSTRUCTIONS} instructions run
 * @param threads threads of a block
 */
public record ClockKernel(int turns, int threads) implements SurveyKernel {
  private static final Symbol CLOCK = new Symbol("%clock64");

  @Override
  public String entryName() {
    return "survey_clock_t%d_b%d".formatted(turns, threads);
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k = new SurveyWriter(threads, KernelParameter.OUTPUT, KernelParameter.POSITIONS);
    List<Register> chains = RateKernel.start(k, Operation.F32_FMA);
    Register start = k.b64("mov.u64", CLOCK);
    RateKernel.writeTurns(k, Operation.F32_FMA, chains, turns);
    Register ticks = k.b64("sub.s64", k.b64("mov.u64", CLOCK), start);
    Register index = k.index();
    k.put("st.global.b64", at(k.global(KernelParameter.OUTPUT, index, 8), 0), ticks);
    Register sum = k.make(PtxType.F32, "mov.f32", chains.get(0));
    for (Register chain : chains.subList(1, RateKernel.CHAINS)) {
      k.put("add.rn.f32", sum, sum, chain);
    }
    Register doubled = k.b32("shl.b32", k.argument(KernelParameter.POSITIONS), 1);
    Register to = k.global(KernelParameter.OUTPUT, k.add(index, doubled), SurveyWriter.WORD);
    k.put("st.global.f32", at(to, 0), sum);
    return k.finish(this, threads);
  }
}
