/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import io.sparkstencil.kernels.ptx.Symbol;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The arguments of a kernel in registers, and the rows of its table of pieces if it has one. */
public final class KernelArguments {
  private static final int ROW_WORDS = 4;

  private final PtxWriter k;
  private final Map<KernelParameter, Register> arguments = new EnumMap<>(KernelParameter.class);

  /** Declares and loads the parameters. */
  public KernelArguments(PtxWriter writer, List<KernelParameter> parameters) {
    this.k = writer;
    for (KernelParameter parameter : parameters) {
      boolean address = parameter.bytes() == 8;
      String width = address ? "u64" : "u32";
      Symbol name = k.parameter(width, parameter.name().toLowerCase(Locale.ROOT));
      Register value =
          k.make(address ? PtxType.B64 : PtxType.B32, "ld.param." + width, Address.at(name, 0));
      arguments.put(parameter, address ? k.b64("cvta.to.global.u64", value) : value);
    }
  }

  /** Returns the value of a parameter; of an address, the global one. */
  public Register argument(KernelParameter parameter) {
    return arguments.get(parameter);
  }

  /** Loads the four words of a piece's row. */
  public List<Register> pieceRow(Register piece) {
    List<Register> row = k.registers(PtxType.B32, ROW_WORDS);
    Register table = arguments.get(KernelParameter.PIECES);
    Register rowAt = k.b64("mad.wide.u32", piece, Literal.of(4 * ROW_WORDS), table);
    k.put("ld.global.nc.v4.b32", new RegisterVector(row), Address.at(rowAt, 0));
    return row;
  }
}
