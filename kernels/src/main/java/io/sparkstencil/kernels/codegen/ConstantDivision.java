/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the division of floating-point sums by a width that is known when the kernel is generated.
 *
 * <p>Exact: {@code 1/d} is split into a high part rounded towards zero and the rest, both positive,
 * and {@code x/d = fma(x, high, fma(x, low, 0))}. The error before the last rounding is below
 * {@code 2^-(p-2)} units in the last place for precision p, while a quotient that is not
 * representable lies at least {@code 1/(2d)} from where rounding changes, so the result is the
 * correctly rounded quotient for {@code d <= 2^(p-4)}: infinities, NaN and zeros included. Tiny
 * dividends, whose low product would be rounded as a subnormal, are divided again: F32 in double by
 * the same two operations, whose rounding to single is right because a quotient that is not halfway
 * between two singles lies further from there than the double is off; F64 by the hardware. Zeros
 * look tiny but need nothing, so a thread first looks whether it has any other.
 */
final class ConstantDivision {
  /** Significant bits of a quotient's error bound: precision 24 less 4. */
  private static final int MAX_F32_DIVISOR = 1 << 20;

  /** Dividends below these have low products that may be subnormal. */
  private static final float TINY_F32 = 0x1p-78f;

  private static final double TINY_F64 = 0x1p-900;

  private final PtxWriter k;
  private final ElementType type;
  private final Accuracy accuracy;
  private final int divisor;
  private final String suffix;
  private final PtxType registers;

  ConstantDivision(PtxWriter writer, FlatStencil what) {
    this.k = writer;
    this.type = what.type();
    this.accuracy = what.accuracy();
    this.divisor = what.width();
    this.suffix = PtxCells.arithmetic(type);
    this.registers = PtxCells.registers(type);
  }

  List<Register> divide(List<Register> dividends) {
    boolean fast = accuracy == Accuracy.FAST;
    if (fast || Integer.bitCount(divisor) == 1) {
      // Of a power of two the reciprocal is exact; an exact sum without its 0.0 can be -0.0, which
      // adding 0 makes 0.0.
      Literal reciprocal = PtxCells.literal(type, 1.0 / divisor);
      String multiply = (fast ? "mul.rn." : "fma.rn.") + suffix;
      Literal zero = fast ? null : PtxCells.literal(type, 0);
      return dividends.stream().map(x -> k.make(registers, multiply, x, reciprocal, zero)).toList();
    }
    if (type == ElementType.F32 && divisor > MAX_F32_DIVISOR) {
      return dividends.stream().map(this::divideByHardware).toList();
    }
    return divideByParts(dividends);
  }

  private Register divideByHardware(Register dividend) {
    Register sum = k.make(registers, "add.rn." + suffix, dividend, PtxCells.literal(type, 0));
    return k.make(registers, "div.rn." + suffix, sum, PtxCells.literal(type, divisor));
  }

  private List<Register> divideByParts(List<Register> dividends) {
    Literal tiny = type == ElementType.F32 ? Literal.f32(TINY_F32) : Literal.f64(TINY_F64);
    List<Register> quotients = new ArrayList<>();
    List<Register> magnitudes = new ArrayList<>();
    Register anyTiny = null;
    for (Register x : dividends) {
      quotients.add(timesReciprocal(type, x));
      Register magnitude = k.make(registers, "abs." + suffix, x);
      magnitudes.add(magnitude);
      anyTiny =
          anyTiny == null
              ? k.test("setp.lt." + suffix, magnitude, tiny)
              : k.test("setp.lt.or." + suffix, magnitude, tiny, anyTiny);
    }
    Symbol done = k.label("divided");
    k.putUnless(anyTiny, "bra", done);
    k.putUnless(anyTinyButZero(magnitudes, tiny), "bra", done);
    for (int i = 0; i < quotients.size(); i++) {
      Register exact =
          type == ElementType.F32
              ? divideInDouble(dividends.get(i))
              : divideByHardware(dividends.get(i));
      k.put("mov." + suffix, quotients.get(i), exact);
    }
    k.place(done);
    return quotients;
  }

  private Register anyTinyButZero(List<Register> magnitudes, Literal tiny) {
    Register any = null;
    for (Register magnitude : magnitudes) {
      Register small = k.test("setp.lt." + suffix, magnitude, tiny);
      Register found = k.test("setp.gt.and." + suffix, magnitude, PtxCells.literal(type, 0), small);
      any = any == null ? found : k.test("or.pred", any, found);
    }
    return any;
  }

  private Register divideInDouble(Register dividend) {
    Register wide = k.make(PtxType.F64, "cvt.f64.f32", dividend);
    return k.make(registers, "cvt.rn.f32.f64", timesReciprocal(ElementType.F64, wide));
  }

  /** Returns the product of {@code x}, of type {@code of}, and both parts of the reciprocal. */
  private Register timesReciprocal(ElementType of, Register x) {
    String fma = "fma.rn." + PtxCells.arithmetic(of);
    Literal low = PtxCells.literal(of, lowPart(of, divisor));
    Register rest = k.make(x.type(), fma, x, low, PtxCells.literal(of, 0));
    return k.make(x.type(), fma, x, PtxCells.literal(of, highPart(of, divisor)), rest);
  }

  /** Returns the reciprocal of {@code divisor} rounded towards zero. */
  static double highPart(ElementType type, int divisor) {
    double nearest = type == ElementType.F32 ? (float) (1.0 / divisor) : 1.0 / divisor;
    BigDecimal product = new BigDecimal(nearest).multiply(BigDecimal.valueOf(divisor));
    if (product.compareTo(BigDecimal.ONE) <= 0) {
      return nearest;
    }
    return type == ElementType.F32 ? Math.nextDown((float) nearest) : Math.nextDown(nearest);
  }

  /** Returns what {@link #highPart} leaves of the reciprocal, to nearest. */
  static double lowPart(ElementType type, int divisor) {
    BigDecimal rest =
        BigDecimal.ONE
            .divide(BigDecimal.valueOf(divisor), new MathContext(120))
            .subtract(new BigDecimal(highPart(type, divisor)));
    return type == ElementType.F32 ? rest.floatValue() : rest.doubleValue();
  }
}
