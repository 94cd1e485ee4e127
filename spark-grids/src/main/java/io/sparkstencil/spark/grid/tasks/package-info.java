/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * What tasks do with blocks of grids: load, exchange faces, take steps, replay, write.
 *
 * <ul>
 *   <li>To be told: {@code GridModel} never changes; {@code Orders} are those of a job, with a
 *       {@code Schedule} of {@code Supersteps}; {@code Places} says where blocks are.
 *   <li>To run: {@code BlockTask} finds its block; {@code SharedWork} brings it to its target, and
 *       others of the executor as far as it needs them, move by move: {@code NextMove} chooses a
 *       {@code BlockMove}, {@code BlockWork} does it.
 *   <li>To hold cells on the host: {@code HostMemory}, the heap or a file, where no device has
 *       them.
 *   <li>To exchange: {@code FaceExchange} decides by which way a face goes: {@code GivenFaces} are
 *       those in shared memory, {@code TaskPushes} those that are pushed, {@code FaceTickets} says
 *       where both are found. {@code IncomingFaces} are taken without the block managers; {@code
 *       BroughtFaces} were copied there for blocks that come back.
 *   <li>To fill a halo: {@code HaloFill} says how far it is, {@code TakenFaces} what has come while
 *       others are waited for, and {@code LateAnswers} where others have it; a {@code MissingFace}
 *       could not be found.
 *   <li>To do more in a state: a {@code BlockAction}, such as {@code SnapshotAction}; a {@code
 *       CheckpointSink} takes {@code BlockCells}.
 *   <li>To report: {@code BlockTally} counts, {@code BlockResult} goes to the driver, and {@code
 *       StoredMark} says that the executor is to hold the block.
 * </ul>
 */
package io.sparkstencil.spark.grid.tasks;
