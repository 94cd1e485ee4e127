/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.RowSort;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.failover.FailoverEngine.Permit;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.List;
import java.util.Optional;

/** The sorts of one task on its device, which its stencils use as well. Used by its thread. */
final class TaskSorts implements RowSorts {
  private final ExecutorRuntime runtime;
  private final ProcessEngine device;
  private final long task;
  private final boolean fallback;

  /**
   * Creates the sorts of a task.
   *
   * @param device the engine of the task's device
   * @param task the task's attempt
   */
  TaskSorts(ExecutorRuntime runtime, ProcessEngine device, long task, StencilConf conf) {
    this.runtime = runtime;
    this.device = device;
    this.task = task;
    this.fallback = conf.get(StencilOptions.FALLBACK);
  }

  /** A sort, for which the runtime stays open. */
  private final class InTurn implements RowSort {
    private final RowSort sort;

    private InTurn(RowSort sort) {
      this.sort = sort;
    }

    @Override
    public void add(long[][] columns, int count) {
      sort.add(columns, count);
    }

    @Override
    public void sort(List<Key> keys, int returned) {
      TaskProgram.checkpoint();
      Permit turn = device.admit(task, TaskProgram::checkpoint);
      try {
        sort.sort(keys, returned);
      } finally {
        turn.close();
      }
    }

    @Override
    public void read(int column, int from, int count, long[] to, int at) {
      sort.read(column, from, count, to, at);
    }

    @Override
    public void close() {
      try {
        sort.close();
      } finally {
        runtime.laneClosed();
      }
    }
  }

  @Override
  public Optional<RowSort> open(int rows, int columns) {
    if (!CostModel.prefersDeviceToSort(rows, columns, device.rates())) {
      return Optional.empty();
    }
    runtime.laneOpened();
    Optional<RowSort> sort = Optional.empty();
    try {
      sort = device.open().openSort(rows, columns).map(InTurn::new);
    } catch (StencilException e) {
      if (!isLeftToHost(e)) {
        throw e;
      }
    } finally {
      if (sort.isEmpty()) {
        runtime.laneClosed();
      }
    }
    return sort;
  }

  @Override
  public boolean isLeftToHost(StencilException failure) {
    runtime.failed(device, failure);
    return fallback && TaskProgram.OF_ENGINES.contains(failure.code());
  }
}
