/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.RowSort;
import io.sparkstencil.error.EngineUnavailableException;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.failover.FailoverEngine.Permit;
import io.sparkstencil.failover.FailoverEngine.Reaction;
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

  /** A sort, for which the runtime stays open and the task has a permit of the device. */
  private final class Admitted implements RowSort {
    private final RowSort sort;
    private final Permit permit;

    private Admitted(RowSort sort, Permit permit) {
      this.sort = sort;
      this.permit = permit;
    }

    @Override
    public void add(long[][] columns, int count) {
      sort.add(columns, count);
    }

    @Override
    public void sort(List<Key> keys, int returned) {
      TaskProgram.checkpoint();
      sort.sort(keys, returned);
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
        permit.close();
        runtime.laneClosed();
      }
    }
  }

  @Override
  public boolean isFaster(long rows, int columns, int returned) {
    return device.sorts() && CostModel.prefersDeviceToSort(rows, columns, returned, device.rates());
  }

  @Override
  public Optional<RowSort> open(int rows, int columns) {
    Permit permit = device.tryAdmit(task).orElse(null);
    if (permit == null) {
      return Optional.empty();
    }
    Optional<RowSort> sort = Optional.empty();
    try {
      runtime.laneOpened();
      try {
        sort = device.open().openSort(rows, columns).map(each -> new Admitted(each, permit));
      } catch (EngineUnavailableException e) {
        return Optional.empty(); // which the stencils of the task will say, if they ask for it
      } finally {
        if (sort.isEmpty()) {
          runtime.laneClosed();
        }
      }
    } finally {
      if (sort.isEmpty()) {
        permit.close();
      }
    }
    return sort;
  }

  @Override
  public boolean isLeftToHost(StencilException failure) {
    boolean left = fallback && TaskProgram.OF_ENGINES.contains(failure.code());
    runtime.failed(device, failure, left ? Reaction.NEXT_ENGINE : Reaction.GIVE_UP);
    if (failure.code() == ErrorCode.KERNEL_COMPILATION) {
      device.refuseSorts(); // it would refuse the kernels each time
    }
    return left;
  }
}
