/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.ptx.PtxTarget;
import io.sparkstencil.kernels.ptx.PtxType;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import io.sparkstencil.kernels.ptx.RegisterVector;
import io.sparkstencil.kernels.ptx.Symbol;
import io.sparkstencil.kernels.variant.KernelKey;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** A kernel that is being written, with its arguments in registers. */
public class KernelWriter extends PtxWriter {
  private static final int ROW_WORDS = 4;

  private final List<KernelParameter> parameters;
  private final Map<KernelParameter, Register> arguments = new EnumMap<>(KernelParameter.class);

  /** Declares and loads the parameters. */
  public KernelWriter(List<KernelParameter> parameters) {
    this.parameters = List.copyOf(parameters);
    for (KernelParameter parameter : parameters) {
      boolean wide = parameter.bytes() == 8;
      String width = wide ? "u64" : "u32";
      Symbol name = parameter(width, parameter.name().toLowerCase(Locale.ROOT));
      Register value = make(wide ? PtxType.B64 : PtxType.B32, "ld.param." + width, at(name, 0));
      arguments.put(parameter, parameter.isAddress() ? b64("cvta.to.global.u64", value) : value);
    }
  }

  /** Returns the parameters in order. */
  protected final List<KernelParameter> parameters() {
    return parameters;
  }

  /** Returns the value of a parameter; of an address, the global one. */
  public final Register argument(KernelParameter parameter) {
    return arguments.get(parameter);
  }

  /** Returns the address of cell {@code index} of an array whose cells take {@code bytes} each. */
  public final Register global(KernelParameter array, Register index, int bytes) {
    return b64("mad.wide.u32", index, bytes, argument(array));
  }

  /** Writes a sum of signed numbers; returns it. */
  public final Register add(Register a, Object b) {
    return b32("add.s32", a, b);
  }

  /** Writes a difference of signed numbers; returns it. */
  public final Register subtract(Register a, Object b) {
    return b32("sub.s32", a, b);
  }

  /**
   * Writes a loop over the pieces of the table.
   *
   * @param piece the number of the first; counted up
   * @param step pieces from one turn to the next
   * @param work writes a turn; takes the four words of a piece's row
   */
  public final void forEachPiece(Register piece, Register step, Consumer<List<Register>> work) {
    loop(
        "piece",
        "end",
        () -> test("setp.ge.u32", piece, argument(KernelParameter.PIECE_COUNT)),
        () -> {
          List<Register> row = registers(PtxType.B32, ROW_WORDS);
          Register rowAt = global(KernelParameter.PIECES, piece, 4 * ROW_WORDS);
          put("ld.global.nc.v4.b32", new RegisterVector(row), at(rowAt, 0));
          work.accept(row);
          put("add.u32", piece, piece, step);
        });
  }

  /**
   * Finishes a kernel without weights that runs on any device, in blocks of {@code threads}.
   *
   * @param sharedBytes shared memory that it declares
   */
  public final GeneratedKernel finish(
      KernelKey key, int threads, int outputsPerBlock, int sharedBytes) {
    put("ret");
    List<String> directives = List.of(".maxntid %d, 1, 1".formatted(threads));
    String ptx = finish(PtxTarget.VOLTA, key.entryName(), directives);
    return new GeneratedKernel(
        key.entryName(), ptx, threads, outputsPerBlock, sharedBytes, 0, parameters, null);
  }
}
