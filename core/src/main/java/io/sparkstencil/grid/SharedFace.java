/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * Memory in which a block offers a face to a block of another process of this host, for the latest
 * states; a state takes the place of an earlier one. Earlier ones are kept behind it on demand, as
 * long as there is room: they are the log from which a lost block is brought back. Whoever reads it
 * finds out whether it has the state that is wanted, also when it is overwritten meanwhile, or
 * belongs to a process that has ended. It lives as long as the fields that share it. One thread
 * puts; others may get meanwhile.
 */
public interface SharedFace {
  /** The states that are offered at least at the same time. */
  int FEWEST_SLOTS = 2;

  /**
   * Where states that are kept are.
   *
   * @param first the first state that may be there
   * @param end the state after the last
   * @param ticket what {@link BlockFields#takeShared} finds them by
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
  record Kept(int first, int end, byte[] ticket) {}

  /**
   * Returns what {@link BlockFields#takeShared} finds the memory by, in any process of the host.
   */
  byte[] ticket();

  /** Returns how many states are offered; a state takes the place of the one so many before. */
  int slots();

  /**
   * Offers the cells that the fields have now. They can be taken when this returns.
   *
   * @param state their number, greater than those before
   * @param keeps whether they are to be kept when another state takes their place
   * @return whether they will be kept; not if there is no room
   */
  boolean put(int state, boolean keeps);

  /**
   * Returns the bytes of a face as {@link BlockFields#pack} does; nothing if the state is neither
   * offered nor kept any more.
   */
  Optional<ByteBuffer> get(int state);

  /** Returns the states that {@link #get} may return, in order. */
  List<Integer> states();

  /** Returns where the states are that are kept. */
  List<Kept> kept();

  /** Returns the bytes of memory that states are kept in. */
  long keptBytes();

  /** Gives up those that are kept of states before one. */
  void giveUpBefore(int state);
}
