/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import io.sparkstencil.spark.grid.blocks.HeldBlock;
import io.sparkstencil.spark.grid.blocks.HeldBlock.Use;
import io.sparkstencil.spark.grid.blocks.RunBlocks.BlockUse;
import java.util.List;

/**
 * What a task does next with a block.
 *
 * @param kind what is done
 * @param block with which block
 * @param read the neighbours in this process whose cells its halo gets, for {@link MoveKind#FILL}
 * @param late the neighbours that have left this process, and are given its faces before its cells
 *     change, for {@link MoveKind#STEP}
 */
record BlockMove(MoveKind kind, HeldBlock block, List<HeldBlock> read, List<Integer> late)
    implements BlockUse {
  /** What is done with a block. */
  enum MoveKind {
    /** It begins at the source. */
    LOAD,
    /** Faces of other executors come into its halo, while neighbours here are not so far. */
    FETCH,
    /** Its halo is filled. */
    FILL,
    /** It takes a superstep. */
    STEP,
    /** The task says how far it is, and does what is wanted of it. */
    REPORT
  }

  static BlockMove of(MoveKind kind, HeldBlock block) {
    return new BlockMove(kind, block, List.of(), List.of());
  }

  @Override
  public Use use() {
    return kind == MoveKind.FILL || kind == MoveKind.FETCH ? Use.FILLING : Use.CHANGING;
  }
}
