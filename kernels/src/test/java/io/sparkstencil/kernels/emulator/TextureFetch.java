/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.kernels.emulator.DeviceMemory.Allocation;
import io.sparkstencil.kernels.emulator.Slot.Kind;
import java.util.List;

/**
 * {@code tex.1d.v4.f32.s32}: a cell of a texture of one channel over plain memory, by its number.
 * The handle of a texture is the address of its cells. A device gives 0 for cells outside, which no
 * kernel means to read: here it is a fault.
 */
final class TextureFetch extends PtxInstruction {
  private static final int WORD = Integer.BYTES;

  /** What channels hold that a texture does not have: 0, 0 and 1. */
  private static final int[] MISSING = {0, 0, Float.floatToRawIntBits(1)};

  private final List<Slot> channels;
  private final Slot texture;
  private final Slot cell;

  TextureFetch(Statement statement, Slots slots) {
    super(statement, slots);
    channels =
        Statement.vector(statement.operand(0)).stream()
            .map(register -> slots.read(Kind.NARROW, register))
            .toList();
    // operands are split at commas outside of braces: [handle and {cell}]
    texture = slots.read(Kind.WIDE, statement.operand(1).substring(1));
    String place = statement.operand(2);
    cell = slots.read(Kind.NARROW, place.substring(1, place.length() - 2));
  }

  @Override
  void run(Warp warp, int lanes) {
    warp.requireDefined(texture.id(), lanes, texture.text());
    warp.requireDefined(cell.id(), lanes, cell.text());
    DeviceMemory memory = warp.block.memory();
    for (int left = lanes; left != 0; left &= left - 1) {
      int lane = Integer.numberOfTrailingZeros(left);
      long address =
          warp.wide[texture.base() + lane] + (long) WORD * warp.narrow[cell.base() + lane];
      Allocation in = memory.access(lane, address, WORD);
      boolean known = memory.read(in, lane, address);
      Slot first = channels.get(0);
      warp.narrow[first.base() + lane] = DeviceMemory.int32(in, address);
      warp.setUndefined(first, known ? 0 : 1 << lane, 1 << lane);
      for (int i = 0; i < MISSING.length; i++) {
        Slot channel = channels.get(i + 1);
        warp.narrow[channel.base() + lane] = MISSING[i];
        warp.setUndefined(channel, 0, 1 << lane);
      }
    }
  }
}
