/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import io.sparkstencil.kernels.variant.MatrixShape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Multiplies matrices of doubles on tensor cores again and again, in {@value #CHAINS} chains that
 * do not wait for each other. All cells of the left matrix are {@value RateKernel#FACTOR}, those of
 * the right one {@value RateKernel#STEP}, and products are added to what the chain has: c + 1 at
 * first. Each thread stores the sum of the first cells of its chains. Parameter: {@link
 * KernelParameter#OUTPUT}.
 *
 * @param shape the matrices of one instruction
 * @param turns how often {@value #INSTRUCTIONS} of them run
 * @param threads threads of a block
 */
public record MatrixRateKernel(MatrixShape shape, int turns, int threads) implements SurveyKernel {
  /** Chains of a warp. */
  public static final int CHAINS = 4;

  /** Instructions of a turn. */
  public static final int INSTRUCTIONS = 8 * CHAINS;

  private static final int LANES = 32;

  @Override
  public String entryName() {
    return "survey_%s_t%d_b%d".formatted(shape.label(), turns, threads);
  }

  /** Returns the multiply-adds of an instruction, over all lanes of its warp. */
  public int multiplyAdds() {
    return shape.rows() * MatrixShape.COLUMNS * shape.depth();
  }

  /** Returns what each thread stores. */
  public double expected() {
    double sum = 0;
    for (int chain = 0; chain < CHAINS; chain++) {
      double x = chain + 1;
      for (int i = 0; i < turns * (INSTRUCTIONS / CHAINS) * shape.depth(); i++) {
        x = Math.fma(RateKernel.FACTOR, RateKernel.STEP, x);
      }
      sum += x;
    }
    return sum;
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k = new SurveyWriter(threads, KernelParameter.OUTPUT);
    k.needs(shape.target());
    int held = shape.rows() * MatrixShape.COLUMNS / LANES;
    int parts = shape.depth() / MatrixShape.PART;
    Register left = k.make(PtxType.F64, "mov.f64", Literal.f64(RateKernel.FACTOR));
    Register right = k.make(PtxType.F64, "mov.f64", Literal.f64(RateKernel.STEP));
    List<Register> rows = Collections.nCopies(shape.rows() / MatrixShape.COLUMNS * parts, left);
    List<RegisterVector> chains = new ArrayList<>();
    for (int chain = 0; chain < CHAINS; chain++) {
      List<Register> cells = new ArrayList<>();
      for (int cell = 0; cell < held; cell++) {
        cells.add(k.make(PtxType.F64, "mov.f64", Literal.f64(chain + 1)));
      }
      chains.add(new RegisterVector(cells));
    }
    RegisterVector columns = new RegisterVector(Collections.nCopies(parts, right));
    k.repeat(
        turns,
        () -> {
          for (int i = 0; i < INSTRUCTIONS; i++) {
            RegisterVector sums = chains.get(i % CHAINS);
            k.put(shape.instruction(), sums, new RegisterVector(rows), columns, sums);
          }
        });
    Register sum = chains.get(0).registers().get(0);
    for (RegisterVector chain : chains.subList(1, CHAINS)) {
      k.put("add.rn.f64", sum, sum, chain.registers().get(0));
    }
    Register to = k.global(KernelParameter.OUTPUT, k.index(), Double.BYTES);
    k.put("st.global.f64", at(to, 0), sum);
    return k.finish(this, threads);
  }
}
