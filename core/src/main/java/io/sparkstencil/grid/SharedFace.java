/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import java.nio.ByteBuffer;

/**
 * Memory in which a block offers a face to a block of another process of this host, for the two
 * latest states. Whoever reads it finds out whether it has the state that is wanted, also when it
 * is overwritten meanwhile, or belongs to a process that has ended. It lives as long as the fields
 * that share it. One thread puts; another one may get meanwhile.
 */
public interface SharedFace {
  /** The states that are kept at the same time; a state takes the place of the one before these. */
  int SLOTS = 2;

  /**
   * Returns what {@link BlockFields#takeShared} finds the memory by, in any process of the host.
   */
  byte[] ticket();

  /**
   * Offers the cells that the fields have now. They can be taken when this returns.
   *
   * @param state their number, greater than those before
   */
  void put(int state);

  /**
   * Returns the bytes of a face as {@link BlockFields#pack} does.
   *
   * @param state one of the two that were put last
   */
  ByteBuffer get(int state);
}
