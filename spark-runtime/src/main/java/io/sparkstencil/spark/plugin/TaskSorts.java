/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import io.sparkstencil.engine.RowSort;
import io.sparkstencil.error.CloseScope;
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
public final class TaskSorts implements RowSorts {
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

  /**
   * A sort with what is given back after it: a permit of the device, and a lane, for which the
   * runtime stays open.
   */
  private record Admitted(RowSort sort, CloseScope held) implements RowSort {
    @Override
    public void add(long[] memory, int from, int words, List<RowSort.Packed> columns, int count) {
      sort.add(memory, from, words, columns, count);
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
      held.close();
    }
  }

  /**
   * Tells whether the device is estimated to have rows in order before the host.
   *
   * @param rows how many
   * @param columns of each, as they go to the device
   * @param returned of these, those that come back
   */
  public boolean isFaster(long rows, int columns, int returned) {
    return device.sorts() && CostModel.prefersDeviceToSort(rows, columns, returned, device.rates());
  }

  @Override
  public long hostBytes(int rows, int columns) {
    return 0;
  }

  @Override
  public Optional<RowSort> open(int rows, int columns) {
    runtime.laneOpened();
    CloseScope held = new CloseScope();
    held.add(runtime::laneClosed);
    try {
      Optional<Permit> permit = device.tryAdmit(task);
      permit.ifPresent(held::add);
      Optional<RowSort> sort =
          permit.flatMap(unused -> device.open().openSort(rows, columns)).map(held::add);
      if (sort.isEmpty()) {
        held.close();
      }
      return sort.map(each -> new Admitted(each, held));
    } catch (EngineUnavailableException e) {
      held.close(); // the stencils of the task will say why, if they ask for the device
      return Optional.empty();
    } catch (RuntimeException e) {
      throw held.closeAfter(e);
    }
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
