/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.codegen.PtxCells;
import io.sparkstencil.kernels.ptx.Operand;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.CoefficientPlacement;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Weights;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The weights of a stencil as operands, from where the schedule puts them. */
final class Weighting {
  private final WindowKernel k;
  private final ElementType type;
  private final boolean weighted;
  private final Map<Integer, List<Register>> loaded = new HashMap<>();
  private final int perVector;
  private Register base;

  /**
   * Declares the weights.
   *
   * @param leading zeros that are put before the first weight in memory
   */
  Weighting(WindowKernel kernel, int leading) {
    this(kernel, leading, 0);
  }

  /**
   * Declares the weights.
   *
   * @param leading zeros that are put before the first weight in memory
   * @param trailing zeros that follow the last one, at least
   */
  Weighting(WindowKernel kernel, int leading, int trailing) {
    this.k = kernel;
    this.type = k.what.type();
    this.weighted = k.what.reduction() == Reduction.WEIGHTED_SUM;
    this.perVector = 16 / type.bytes();
    if (!weighted || k.how.coefficients() == CoefficientPlacement.IMMEDIATE) {
      return;
    }
    double[] values = padded(k.what.weights(), leading, trailing);
    if (k.how.coefficients() == CoefficientPlacement.READ_ONLY) {
      base = k.argument(KernelParameter.WEIGHTS);
      k.uploadWeights(bytes(values));
    } else {
      declareConstants(values);
      base = k.b64("mov.u64", new Symbol("weights"));
    }
  }

  private double[] padded(Weights weights, int leading, int trailing) {
    int whole = (leading + weights.size() + trailing + perVector - 1) / perVector * perVector;
    double[] values = new double[whole];
    System.arraycopy(weights.toArray(), 0, values, leading, weights.size());
    return values;
  }

  private ByteBuffer bytes(double[] values) {
    ByteBuffer bytes =
        ByteBuffer.allocate(values.length * type.bytes()).order(ByteOrder.nativeOrder());
    for (double value : values) {
      long bits = PtxCells.bits(type, value);
      if (type.bytes() == Integer.BYTES) {
        bytes.putInt((int) bits);
      } else {
        bytes.putLong(bits);
      }
    }
    return bytes.flip();
  }

  private void declareConstants(double[] values) {
    String texts =
        Arrays.stream(values)
            .mapToObj(value -> PtxCells.literal(type, value).text())
            .collect(Collectors.joining(", "));
    k.declare(
        ".const .align 16 .%s weights[%d] = {%s}"
            .formatted(PtxCells.registers(type).declaration(), values.length, texts));
  }

  /** Tells whether there are weights at all. */
  boolean weighted() {
    return weighted;
  }

  /** Returns the address of the first weight in memory. */
  Register base() {
    return base;
  }

  /** Returns the weight of a tap in straight-line code, or null for a reduction without weights. */
  Operand weight(int tap) {
    if (!weighted) {
      return null;
    }
    if (k.how.coefficients() == CoefficientPlacement.IMMEDIATE) {
      return PtxCells.literal(type, k.what.weights().get(tap));
    }
    int first = tap / perVector * perVector;
    return loaded.computeIfAbsent(first, f -> load(base, f)).get(tap - first);
  }

  /** Loads 16 bytes of weights, {@code index} weights after {@code at}. */
  List<Register> load(Register at, int index) {
    String space =
        k.how.coefficients() == CoefficientPlacement.READ_ONLY ? "ld.global.nc" : "ld.const";
    List<Register> registers = k.registers(PtxCells.registers(type), perVector);
    k.load(space, registers, at(at, index * type.bytes()));
    return registers;
  }
}
