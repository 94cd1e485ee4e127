/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.spark.grid.cells.FirstCells;
import io.sparkstencil.spark.grid.tasks.CheckpointSink;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;

/**
 * When and where checkpoints are written.
 *
 * @param every the supersteps between two; 0 for none
 * @param files where; null for nowhere
 * @param replacesOrigin whether the grid began with a checkpoint in the same folder
 */
public record CheckpointPlan(int every, Files files, boolean replacesOrigin) {
  /** No checkpoints. */
  public static final CheckpointPlan NONE = new CheckpointPlan(0, null, false);

  /** The files of checkpoints. */
  public interface Files extends AutoCloseable {
    /** Begins the checkpoint of a state. */
    Checkpoint begin(long step);

    /** Leaves their folder to others. */
    @Override
    void close();
  }

  /** A checkpoint that is being written, then complete. */
  public interface Checkpoint {
    /** Returns where tasks write their blocks. */
    CheckpointSink sink();

    /**
     * Marks the checkpoint complete, after all blocks are written; others are deleted.
     *
     * @param receipts what the sink has returned for each block
     * @param samples what receivers have sampled up to there
     */
    void commit(List<Serializable> receipts, SampleSeries samples);

    /** Removes the files of a checkpoint that is not complete. */
    void abort();

    /** Returns the blocks of the complete checkpoint. */
    JavaRDD<FirstCells> blocks();
  }

  /** Leaves the folder to others. */
  public void close() {
    if (files != null) {
      files.close();
    }
  }

  /** Returns whether checkpoints are written. */
  boolean isOn() {
    return files != null;
  }

  /** Returns whether a state is far enough from the last checkpoint. */
  boolean isDue(int supersteps) {
    return isOn() && supersteps >= every;
  }
}
