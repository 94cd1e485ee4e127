/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.WarpShuffle;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Runs one instruction again and again in {@value #CHAINS} chains that do not wait for each other.
 * Chain c of lane l starts with l + c + 1; each thread stores the sum of its chains, in a word or,
 * for binary64, in two. Parameter: {@link KernelParameter#OUTPUT}.
 *
 * @param operation the instruction
 * @param turns how often {@value #INSTRUCTIONS} of them run
 * @param threads threads of a block
 */
public record RateKernel(Operation operation, int turns, int threads) implements SurveyKernel {
  /** Chains of a thread. */
  public static final int CHAINS = 8;

  /** Instructions of a turn. */
  public static final int INSTRUCTIONS = 16 * CHAINS;

  /** What is added to or multiplied with. */
  public static final float STEP = 0.5f;

  /** What products are scaled by. */
  public static final float FACTOR = 0.75f;

  /** An instruction. */
  public enum Operation {
    /** Adds {@value RateKernel#STEP}. */
    F32_ADD,
    /** Multiplies by {@value RateKernel#FACTOR} and adds {@value RateKernel#STEP}. */
    F32_FMA,
    /** Adds {@value RateKernel#STEP}. */
    F64_ADD,
    /** Multiplies by {@value RateKernel#FACTOR} and adds {@value RateKernel#STEP}. */
    F64_FMA,
    /** Adds the next chain. */
    I32_ADD,
    /** Multiplies by the lane plus 3 and adds the lane. */
    I32_MAD,
    /** Takes what the next lane has. */
    SHUFFLE;

    /** Tells whether chains are binary64. */
    public boolean isWide() {
      return this == F64_ADD || this == F64_FMA;
    }

    private PtxType type() {
      return switch (this) {
        case F32_ADD, F32_FMA -> PtxType.F32;
        case F64_ADD, F64_FMA -> PtxType.F64;
        case I32_ADD, I32_MAD, SHUFFLE -> PtxType.B32;
      };
    }

    private String convert() {
      return switch (type()) {
        case F32 -> "cvt.rn.f32.u32";
        case F64 -> "cvt.rn.f64.u32";
        default -> "mov.b32";
      };
    }

    private String add() {
      return switch (type()) {
        case F32 -> "add.rn.f32";
        case F64 -> "add.rn.f64";
        default -> "add.s32";
      };
    }
  }

  @Override
  public String entryName() {
    return "survey_%s_t%d_b%d".formatted(operation.name().toLowerCase(Locale.ROOT), turns, threads);
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k = new SurveyWriter(threads, KernelParameter.OUTPUT);
    List<Register> chains = start(k, operation);
    writeTurns(k, operation, chains, turns);
    store(k, chains);
    return k.finish(this, threads);
  }

  /** Returns new chains. */
  static List<Register> start(SurveyWriter k, Operation operation) {
    Register lane = k.lane();
    return IntStream.range(0, CHAINS)
        .mapToObj(c -> k.make(operation.type(), operation.convert(), k.add(lane, c + 1)))
        .toList();
  }

  /** Writes the loop. */
  static void writeTurns(SurveyWriter k, Operation operation, List<Register> chains, int turns) {
    Register lane = k.lane();
    Register next = k.b32("and.b32", k.add(lane, 1), 31);
    Register multiplier = k.add(lane, 3);
    Literal step = operation.isWide() ? Literal.f64(STEP) : Literal.f32(STEP);
    Literal factor = operation.isWide() ? Literal.f64(FACTOR) : Literal.f32(FACTOR);
    k.repeat(
        turns,
        () -> {
          for (int i = 0; i < INSTRUCTIONS; i++) {
            Register x = chains.get(i % CHAINS);
            switch (operation) {
              case F32_ADD, F64_ADD -> k.put(operation.add(), x, x, step);
              case F32_FMA -> k.put("fma.rn.f32", x, x, factor, step);
              case F64_FMA -> k.put("fma.rn.f64", x, x, factor, step);
              case I32_ADD -> k.put("add.s32", x, x, chains.get((i + 1) % CHAINS));
              case I32_MAD -> k.put("mad.lo.s32", x, x, multiplier, lane);
              case SHUFFLE ->
                  k.put("mov.b32", x, WarpShuffle.read(k, WarpShuffle.Mode.INDEX, x, next, null));
            }
          }
        });
  }

  private void store(SurveyWriter k, List<Register> chains) {
    Register sum = chains.get(0);
    for (Register chain : chains.subList(1, CHAINS)) {
      k.put(operation.add(), sum, sum, chain);
    }
    int bytes = operation.type().bytes();
    Register to = k.global(KernelParameter.OUTPUT, k.index(), bytes);
    k.store("st.global", at(to, 0), List.of(sum));
  }
}
