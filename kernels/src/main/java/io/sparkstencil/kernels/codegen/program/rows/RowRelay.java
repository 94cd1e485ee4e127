/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import io.sparkstencil.kernels.ptx.Address;
import io.sparkstencil.kernels.ptx.PtxWriter;
import io.sparkstencil.kernels.ptx.Register;
import java.util.function.BiFunction;

/**
 * Rows that a warp hands to the next one in shared memory. There is room for two turns of the loop:
 * while one warp writes the rows of a turn, the other one reads those of the turn before.
 */
final class RowRelay implements TileRows {
  private static final int CHUNK = RowTile.CHUNK_BYTES;

  private final PtxWriter k;
  private final RowTile tile;
  private final int variables;
  private final Register place;
  private final Register bothPlaces;
  private int row;

  /**
   * Prepares one side of the relay.
   *
   * @param to the warp that takes the rows
   * @param shared the place of the block's shared memory
   * @param takes whether this is that warp
   * @param further by how many warps later it is, if instructions are shared; else null
   */
  RowRelay(
      PtxWriter k,
      RowTile tile,
      int to,
      boolean takes,
      Register shared,
      Register lane,
      Register further) {
    this.k = k;
    this.tile = tile;
    variables = tile.levels().live(tile.firstLevel(to)).size();
    Register first = k.b32("mad.lo.s32", lane, CHUNK, shared);
    k.put("add.s32", first, first, tile.relayAt(to));
    if (further != null) {
      k.put("mad.lo.s32", first, further, tile.relayAt(to + 1) - tile.relayAt(to), first);
    }
    Register second = k.b32("add.s32", first, tile.slots() * rowBytes());
    bothPlaces = k.b32("add.s32", first, second);
    place = k.b32("mov.u32", takes ? second : first);
  }

  /** Returns the bytes of a row of all variables. */
  private int rowBytes() {
    return variables * tile.rowBytes();
  }

  @Override
  public void turn() {
    row = 0;
  }

  /** The other half is next. */
  @Override
  public void turned() {
    k.put("sub.s32", place, bothPlaces, place);
  }

  @Override
  public void next(BiFunction<Integer, Integer, Register> targets) {
    int count = CHUNK / tile.type().bytes();
    for (int variable = 0; variable < variables; variable++) {
      for (int c = 0; c < tile.shape().cells(); c += count) {
        k.load("ld.shared", TileRows.some(targets, variable, c, count), chunk(variable, c));
      }
    }
    row++;
  }

  /** Hands a row on. */
  void give(BiFunction<Integer, Integer, Register> cells) {
    int count = CHUNK / tile.type().bytes();
    for (int variable = 0; variable < variables; variable++) {
      for (int c = 0; c < tile.shape().cells(); c += count) {
        k.store("st.shared", chunk(variable, c), TileRows.some(cells, variable, c, count));
      }
    }
    row++;
  }

  /** Returns where a lane's chunk of the row is; those of all lanes are side by side. */
  private Address chunk(int variable, int cell) {
    int chunks = cell * tile.type().bytes() / CHUNK;
    return Address.at(place, row * rowBytes() + variable * tile.rowBytes() + chunks * 32 * CHUNK);
  }
}
