/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.failover;

import io.sparkstencil.error.StencilException;

/** What the owner of a {@link FailoverEngine} decides and wants to know. */
public interface FailoverPolicy {
  /** What is done about the failure of an engine. */
  enum Reaction {
    /** The same engine runs on with smaller batches. */
    SMALLER_BATCHES,
    /** The next engine takes over. */
    NEXT_ENGINE,
    /** No engine is left: the failure goes to the caller. */
    GIVE_UP
  }

  /** Called before a lane is opened; throws if there must be none. */
  default void laneOpened() {}

  /** Called once for each lane, when it has been closed. */
  default void laneClosed() {}

  /** Called before each batch; throws if the work is no longer wanted. */
  void checkpoint();

  /**
   * Called when an engine has failed, before the reaction. What this throws goes to the caller in
   * place of the reaction.
   *
   * @param engine the engine's name
   * @param failure what it said
   * @param reaction what happens next
   */
  void failed(String engine, StencilException failure, Reaction reaction);
}
