/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.survey;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.List;
import java.util.Locale;

/**
 * Sums binary32 cells: thread i those from cell i on, or every {@value #SPREAD}th from cell i times
 * {@value #SPREAD} on, modulo a power of two. Parameters: {@link KernelParameter#INPUT}, {@link
 * KernelParameter#OUTPUT}, {@link KernelParameter#TEXTURE} over the input, and {@link
 * KernelParameter#SHIFT}, that power less 1.
 *
 * @param path how cells are read
 * @param taps cells of a sum
 * @param scattered whether lanes read cells far from each other
 */
public record GatherSumKernel(Path path, int taps, boolean scattered) implements SurveyKernel {
  /** Threads of a block. */
  public static final int THREADS = 256;

  /** Cells between those of neighbouring lanes where they are scattered: odd, to reach all. */
  public static final int SPREAD = 40_503;

  /** Cells between the taps of a lane where they are scattered, so that no lane near reads them. */
  public static final int TAP_SPREAD = 0x3779_B197;

  /** How cells are read. */
  public enum Path {
    /** {@code ld.global}. */
    PLAIN_LOADS,
    /** {@code ld.global.nc}. */
    READ_ONLY_LOADS,
    /** {@code tex.1d}. */
    TEXTURE
  }

  @Override
  public String entryName() {
    return "survey_gather_%s_t%d_%s"
        .formatted(path.name().toLowerCase(Locale.ROOT), taps, scattered ? "scattered" : "ordered");
  }

  @Override
  public GeneratedKernel generate() {
    SurveyWriter k =
        new SurveyWriter(
            THREADS,
            KernelParameter.INPUT,
            KernelParameter.OUTPUT,
            KernelParameter.TEXTURE,
            KernelParameter.SHIFT);
    Register index = k.index();
    Register first = scattered ? k.b32("mul.lo.u32", index, SPREAD) : index;
    Register own = k.global(KernelParameter.INPUT, index, SurveyWriter.WORD);
    Register sum = k.make(PtxType.F32, "mov.f32", Literal.f32(0));
    for (int tap = 0; tap < taps; tap++) {
      Register value;
      if (scattered || path == Path.TEXTURE) {
        Register cell = k.add(first, tap * (scattered ? TAP_SPREAD : 1));
        Register inside =
            scattered ? k.b32("and.b32", cell, k.argument(KernelParameter.SHIFT)) : cell;
        value = path == Path.TEXTURE ? fetch(k, inside) : load(k, inside);
      } else {
        value = k.make(PtxType.F32, loads(), at(own, tap * SurveyWriter.WORD));
      }
      k.put("add.rn.f32", sum, sum, value);
    }
    Register to = k.global(KernelParameter.OUTPUT, index, SurveyWriter.WORD);
    k.put("st.global.f32", at(to, 0), sum);
    return k.finish(this, THREADS);
  }

  private String loads() {
    return path == Path.PLAIN_LOADS ? "ld.global.f32" : "ld.global.nc.f32";
  }

  private Register load(SurveyWriter k, Register cell) {
    Register from = k.global(KernelParameter.INPUT, cell, SurveyWriter.WORD);
    return k.make(PtxType.F32, loads(), at(from, 0));
  }

  /** Writes a fetch, which has four channels, of which a cell is the first. */
  private static Register fetch(SurveyWriter k, Register cell) {
    List<Register> channels = k.registers(PtxType.F32, 4);
    Register texture = k.argument(KernelParameter.TEXTURE);
    Symbol place = new Symbol("[%s, {%s}]".formatted(texture.text(), cell.text()));
    k.put("tex.1d.v4.f32.s32", new RegisterVector(channels), place);
    return channels.get(0);
  }
}
