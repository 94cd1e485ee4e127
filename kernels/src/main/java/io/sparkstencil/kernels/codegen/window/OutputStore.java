/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import io.sparkstencil.kernels.codegen.CellType;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.Literal;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores the consecutive outputs of each thread. Where these are more than one unit, they pass
 * through shared memory, warp by warp, so that neighbouring lanes store neighbouring units: stores
 * of half sectors are slower.
 */
final class OutputStore {
  private final WindowKernel kernel;
  private final PtxWriter k;
  private final TileShape shape;
  private final int cellBytes;
  private final int unitBytes;
  private final String type;
  private final int stageOffset;
  private final boolean reusesTile;

  /**
   * Plans the store.
   *
   * @param tile the tile whose memory outputs may take over once all threads have read it, or null
   *     for memory of their own
   */
  OutputStore(WindowKernel kernel, SharedTile tile) {
    this.kernel = kernel;
    this.k = kernel.k;
    this.shape =
        new TileShape(kernel.unit, kernel.how.cellsPerThread(), kernel.how.outputsPerBlock());
    this.cellBytes = kernel.cellBytes;
    this.unitBytes = kernel.unit * cellBytes;
    this.type = CellType.memory(kernel.what.type());
    this.reusesTile = tile != null;
    if (!staged()) {
      this.stageOffset = 0;
    } else if (reusesTile) {
      this.stageOffset = tile.valueOffset();
    } else {
      this.stageOffset = kernel.reserveShared(shape.places() * unitBytes);
    }
  }

  private boolean staged() {
    return shape.unitsPerThread() > 1;
  }

  /**
   * Writes the stores.
   *
   * @param values this thread's outputs in order
   * @param validity 1 or 0 for each, or null
   */
  void write(List<Register> values, List<Register> validity) {
    Register end = k.b32("add.u32", kernel.firstPosition, Literal.of(kernel.how.outputsPerBlock()));
    Register whole = k.test("setp.le.u32", end, kernel.parameter(KernelParameter.POSITIONS));
    if (validity != null) {
      writeValidity(validity, whole);
    }
    if (!staged()) {
      writeUnits(ownPosition(), List.of(values), 0, whole);
      return;
    }
    if (reusesTile) {
      k.put("bar.sync", Literal.of(0));
    }
    Register own =
        kernel.sharedAddress(stageOffset, kernel.thread, shape.threadStride() * unitBytes);
    for (int u = 0; u < shape.unitsPerThread(); u++) {
      List<Register> unit = values.subList(u * kernel.unit, (u + 1) * kernel.unit);
      k.store("st.shared", Address.at(own, shape.placeOf(u) * unitBytes), unit);
    }
    k.put("bar.warp.sync", Literal.of(0xFFFFFFFFL));
    writeUnits(warpPosition(), readBack(), 32 * kernel.unit, whole);
  }

  private Register ownPosition() {
    return k.b32(
        "mad.lo.u32", kernel.thread, Literal.of(kernel.how.cellsPerThread()), kernel.firstPosition);
  }

  /** Returns the position of the unit that this lane stores first. */
  private Register warpPosition() {
    Register lane = k.b32("and.b32", kernel.thread, Literal.of(31));
    Register warpThread = k.b32("sub.u32", kernel.thread, lane);
    Register warpFirst =
        k.b32(
            "mad.lo.u32",
            warpThread,
            Literal.of(kernel.how.cellsPerThread()),
            kernel.firstPosition);
    return k.b32("mad.lo.u32", lane, Literal.of(kernel.unit), warpFirst);
  }

  /** Loads the units that this lane stores: its warp's units number lane, lane + 32, and so on. */
  private List<List<Register>> readBack() {
    Register lane = k.b32("and.b32", kernel.thread, Literal.of(31));
    Register warpThread = k.b32("sub.u32", kernel.thread, lane);
    Register warpAt =
        kernel.sharedAddress(stageOffset, warpThread, shape.threadStride() * unitBytes);
    Register place = lane;
    if (shape.padded()) {
      int log = Integer.numberOfTrailingZeros(shape.unitsPerThread());
      Register pads = k.b32("shr.u32", lane, Literal.of(log));
      place = k.b32("add.u32", lane, pads);
    }
    Register at = kernel.sharedAddress(warpAt, place, unitBytes);
    List<List<Register>> units = new ArrayList<>();
    for (int u = 0; u < shape.unitsPerThread(); u++) {
      List<Register> unit = k.registers(kernel.math.registers(), kernel.unit);
      k.load("ld.shared", unit, Address.at(at, shape.placeOf(32 * u) * unitBytes));
      units.add(unit);
    }
    return units;
  }

  private void writeUnits(
      Register position, List<List<Register>> units, int cellsBetween, Register whole) {
    Register at =
        kernel.globalAddress(kernel.parameter(KernelParameter.OUTPUT), position, cellBytes);
    String opcode = "st.global" + kernel.how.hints().store();
    k.either(
        whole,
        "part",
        "stored",
        () -> {
          for (int u = 0; u < units.size(); u++) {
            int ahead = u * cellsBetween;
            k.store(opcode, Address.at(at, ahead * cellBytes), units.get(u));
          }
        },
        () -> {
          for (int u = 0; u < units.size(); u++) {
            for (int i = 0; i < units.get(u).size(); i++) {
              int ahead = u * cellsBetween + i;
              Register inside = kernel.isPosition(position, ahead);
              Address address = Address.at(at, ahead * cellBytes);
              k.putIf(inside, "st.global." + type, address, units.get(u).get(i));
            }
          }
        });
  }

  private void writeValidity(List<Register> validity, Register whole) {
    Register position = ownPosition();
    Register at =
        kernel.globalAddress(kernel.parameter(KernelParameter.OUTPUT_VALIDITY), position, 1);
    k.either(
        whole,
        "validpart",
        "validstored",
        () -> {
          for (int u = 0; u < validity.size(); u += kernel.unit) {
            Register packed = validity.get(u);
            for (int i = 1; i < kernel.unit; i++) {
              packed = k.b32("mad.lo.u32", validity.get(u + i), Literal.of(1L << (8 * i)), packed);
            }
            k.put("st.global.u" + 8 * kernel.unit, Address.at(at, u), packed);
          }
        },
        () -> {
          for (int i = 0; i < validity.size(); i++) {
            Register inside = kernel.isPosition(position, i);
            k.putIf(inside, "st.global.u8", Address.at(at, i), validity.get(i));
          }
        });
  }
}
