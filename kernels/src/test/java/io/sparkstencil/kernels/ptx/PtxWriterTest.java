/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.ptx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PtxWriterTest {
  @Test
  void oneCallWritesOneLine() {
    PtxWriter k = new PtxWriter();
    Register a = k.make(PtxType.F32, "mov.f32", Literal.f32(0.1f));
    Register sum = k.make(PtxType.F32, "add.rn.f32", a, a);
    Register positive = k.make(PtxType.PREDICATE, "setp.gt.f32", sum, Literal.f32(0));
    k.putIf(positive, "mov.f32", a, sum);
    k.putUnless(positive, "mov.f32", sum, a);
    Symbol label = k.label("end");
    k.place(label);
    k.put("ret");

    String ptx = k.finish(PtxTarget.VOLTA, "entry", List.of(".maxntid 32, 1, 1"));

    assertThat(ptx)
        .contains(".version 6.0\n.target sm_70\n.address_size 64\n")
        .contains(".visible .entry entry(")
        .contains(".maxntid 32, 1, 1\n{")
        .contains("  .reg .pred %p<1>;\n")
        .contains("  .reg .f32 %f<2>;\n")
        .contains("  mov.f32 %f0, 0f3DCCCCCD;\n  add.rn.f32 %f1, %f0, %f0;\n")
        .contains("  setp.gt.f32 %p0, %f1, 0f00000000;\n")
        .contains("  @%p0 mov.f32 %f0, %f1;\n  @!%p0 mov.f32 %f1, %f0;\n")
        .endsWith("$end0:\n  ret;\n}\n");
  }

  @Test
  void literalsKeepEveryBit() {
    assertThat(Literal.f32(-0.0f).text()).isEqualTo("0f80000000");
    assertThat(Literal.f32(Float.MIN_VALUE).text()).isEqualTo("0f00000001");
    assertThat(Literal.f64(1.0 / 3).text()).isEqualTo("0d3FD5555555555555");
    assertThat(Literal.f64(Double.NaN).text()).isEqualTo("0d7FF8000000000000");
    assertThat(Literal.of(Integer.MIN_VALUE).text()).isEqualTo("-2147483648");
    assertThat(Literal.of(Long.MIN_VALUE).text()).isEqualTo("0x8000000000000000");
  }

  @Test
  void addressesAndVectorsAreSpelledAsPtxDoes() {
    Register base = new Register(PtxType.B64, 3);
    assertThat(Address.at(base, 0).text()).isEqualTo("[%rd3]");
    assertThat(Address.at(base, 16).text()).isEqualTo("[%rd3+16]");
    assertThat(Address.at(base, -4).text()).isEqualTo("[%rd3+-4]");
    List<Register> four = new PtxWriter().registers(PtxType.F32, 4);
    assertThat(new RegisterVector(four).text()).isEqualTo("{%f0, %f1, %f2, %f3}");
    assertThatThrownBy(() -> new RegisterVector(four.subList(0, 3)))
        .hasMessageContaining("a vector of 3 registers");
  }

  @Test
  void targetsBelowVoltaAreRefused() {
    assertThatThrownBy(() -> new PtxTarget(60, 60)).hasMessageContaining("sm_60 with PTX 6.0");
  }
}
