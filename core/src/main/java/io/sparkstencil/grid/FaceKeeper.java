/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.grid;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Memory near the fields of a block in which its faces for another block are kept, state by state,
 * as long as there is room: the log from which that one is brought back where faces travel to it.
 * One thread keeps; others may get meanwhile. It lives as long as the fields.
 */
public interface FaceKeeper {
  /**
   * Keeps the face of the cells that the fields have now.
   *
   * @param state their number, greater than those before
   * @return whether there was room
   */
  boolean keep(int state);

  /** Returns the bytes of a face as {@link BlockFields#pack} does; nothing if it is not kept. */
  Optional<ByteBuffer> get(int state);

  /** Returns the bytes of memory that faces are kept in. */
  long keptBytes();

  /** Gives up those of states before one. */
  void giveUpBefore(int state);
}
