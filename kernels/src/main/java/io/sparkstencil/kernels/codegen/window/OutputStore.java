/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.window;

import static io.sparkstencil.kernels.ptx.Address.at;

import io.sparkstencil.kernels.codegen.Cell;
import io.sparkstencil.kernels.codegen.KernelParameter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.ArrayList;
import java.util.List;

/**
 * Stores the consecutive outputs of each thread. Where these are more than one unit, they pass
 * through shared memory, warp by warp, so that neighbouring lanes store neighbouring units: stores
 * of half sectors are slower.
 */
final class OutputStore {
  private final WindowKernel k;
  private final TileShape shape;
  private final int unitBytes;
  private final int stageOffset;
  private final boolean reusesTile;

  /**
   * Plans the store.
   *
   * @param tile the tile whose memory outputs may take over once all threads have read it, or null
   *     for memory of their own
   */
  OutputStore(WindowKernel kernel, SharedTile tile) {
    this.k = kernel;
    this.shape = TileShape.of(k.unit, k.how.cellsPerThread(), k.how.outputsPerBlock());
    this.unitBytes = k.unit * k.cellBytes;
    this.reusesTile = tile != null;
    if (!staged()) {
      this.stageOffset = 0;
    } else if (reusesTile) {
      this.stageOffset = tile.valueOffset;
    } else {
      this.stageOffset = k.reserveShared(shape.places() * unitBytes);
    }
  }

  /**
   * Writes the stores of units that lie apart.
   *
   * @param position of the thread's first unit
   * @param units in order
   * @param cellsBetween from the first cell of a unit to that of the next
   */
  static void write(
      WindowKernel k, Register position, List<List<Register>> units, int cellsBetween) {
    Register end = k.b32("add.u32", k.firstPosition, k.how.outputsPerBlock());
    Register whole = k.test("setp.le.u32", end, k.argument(KernelParameter.POSITIONS));
    writeUnits(k, position, units, cellsBetween, whole);
  }

  private boolean staged() {
    return shape.unitsPerThread() > 1;
  }

  /** Writes the stores of the results of what was reduced. */
  void write(List<Cell> sums) {
    write(k.math.finish(sums), k.math.validity(sums));
  }

  /**
   * Writes the stores.
   *
   * @param values this thread's outputs in order
   * @param validity 1 or 0 for each, or null
   */
  void write(List<Register> values, List<Register> validity) {
    Register end = k.b32("add.u32", k.firstPosition, k.how.outputsPerBlock());
    Register whole = k.test("setp.le.u32", end, k.argument(KernelParameter.POSITIONS));
    if (validity != null) {
      writeValidity(validity, whole);
    }
    if (!staged()) {
      writeUnits(k, ownPosition(), List.of(values), 0, whole);
      return;
    }
    if (reusesTile) {
      k.put("bar.sync", 0);
    }
    Register own = k.sharedAddress(stageOffset, k.thread, shape.threadStride() * unitBytes);
    for (int u = 0; u < shape.unitsPerThread(); u++) {
      List<Register> unit = values.subList(u * k.unit, (u + 1) * k.unit);
      k.store("st.shared", at(own, shape.placeOf(u) * unitBytes), unit);
    }
    k.put("bar.warp.sync", 0xFFFFFFFFL);
    writeUnits(k, warpPosition(), readBack(), 32 * k.unit, whole);
  }

  private Register ownPosition() {
    return k.b32("mad.lo.u32", k.thread, k.how.cellsPerThread(), k.firstPosition);
  }

  /** Returns the position of the unit that this lane stores first. */
  private Register warpPosition() {
    Register lane = k.b32("and.b32", k.thread, 31);
    Register warpThread = k.b32("sub.u32", k.thread, lane);
    Register warpFirst = k.b32("mad.lo.u32", warpThread, k.how.cellsPerThread(), k.firstPosition);
    return k.b32("mad.lo.u32", lane, k.unit, warpFirst);
  }

  /** Loads the units that this lane stores: its warp's units number lane, lane + 32, and so on. */
  private List<List<Register>> readBack() {
    Register lane = k.b32("and.b32", k.thread, 31);
    Register warpThread = k.b32("sub.u32", k.thread, lane);
    Register warpAt = k.sharedAddress(stageOffset, warpThread, shape.threadStride() * unitBytes);
    Register at = k.sharedAddress(warpAt, shape.placeOf(k, lane), unitBytes);
    List<List<Register>> units = new ArrayList<>();
    for (int u = 0; u < shape.unitsPerThread(); u++) {
      List<Register> unit = k.registers(k.math.registers(), k.unit);
      k.load("ld.shared", unit, at(at, shape.placeOf(32 * u) * unitBytes));
      units.add(unit);
    }
    return units;
  }

  private static void writeUnits(
      WindowKernel k,
      Register position,
      List<List<Register>> units,
      int cellsBetween,
      Register whole) {
    Register at = k.global(KernelParameter.OUTPUT, position, k.cellBytes);
    String opcode = "st.global" + k.how.hints().store();
    k.either(
        whole,
        "part",
        "stored",
        () -> {
          for (int u = 0; u < units.size(); u++) {
            k.store(opcode, at(at, u * cellsBetween * k.cellBytes), units.get(u));
          }
        },
        () -> {
          for (int u = 0; u < units.size(); u++) {
            for (int i = 0; i < units.get(u).size(); i++) {
              int ahead = u * cellsBetween + i;
              Register inside = k.isPosition(position, ahead);
              Register value = units.get(u).get(i);
              String store = "st.global." + value.type().declaration();
              k.putIf(inside, store, at(at, ahead * k.cellBytes), value);
            }
          }
        });
  }

  private void writeValidity(List<Register> validity, Register whole) {
    Register position = ownPosition();
    Register at = k.global(KernelParameter.OUTPUT_VALIDITY, position, 1);
    k.either(
        whole,
        "validpart",
        "validstored",
        () -> {
          for (int u = 0; u < validity.size(); u += k.unit) {
            Register packed = validity.get(u);
            for (int i = 1; i < k.unit; i++) {
              packed = k.b32("mad.lo.u32", validity.get(u + i), 1L << (8 * i), packed);
            }
            k.put("st.global.u" + 8 * k.unit, at(at, u), packed);
          }
        },
        () -> {
          for (int i = 0; i < validity.size(); i++) {
            Register inside = k.isPosition(position, i);
            k.putIf(inside, "st.global.u8", at(at, i), validity.get(i));
          }
        });
  }
}
