/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.error.StencilException;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowPages;
import io.sparkstencil.spark.conf.SqlOptions;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.spark.plugin.HostSorts;
import io.sparkstencil.spark.plugin.RowSorts;
import io.sparkstencil.spark.plugin.TaskSorts;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.Iterator;

/**
 * Collects the rows of a task as columns: series by series, or sorted all together, by its device
 * or, where they are scattered over many series, by the host.
 */
public final class SeriesCollector {
  /** Share of the bytes of all rows that batches may take before they are put in order. */
  private static final int KEPT_SHARE = 2;

  /** What a task has, before it is known how many: a device is not worth it for fewer anyway. */
  private static final int MANY_ROWS = 1 << 20;

  private final SeriesColumns to;
  private final RowPages pages;
  private final long mostBytes;
  private final KeptBatches kept;

  private SeriesCollector(SeriesColumns to) {
    this.to = to;
    this.pages = to.pages();
    this.mostBytes = to.mostBytes();
    this.kept = new KeptBatches(to.layout(), pages, mostBytes / KEPT_SHARE);
  }

  /**
   * Adds rows in the batches in which they were shuffled.
   *
   * @param to takes the rows
   * @return null if all rows are there, else batches of those that found no memory
   * @throws io.sparkstencil.error.StencilException if the device fails and the host may not take
   *     its place
   */
  public static Iterator<InternalRow> addAll(
      SeriesColumns to, Iterator<InternalRow> batches, StencilConf conf) {
    return TaskOrder.isPossible(to.layout())
        ? new SeriesCollector(to).addAll(batches, conf)
        : to.addAll(batches);
  }

  private Iterator<InternalRow> addAll(Iterator<InternalRow> batches, StencilConf conf) {
    Optional<TaskSorts> device =
        conf.get(SqlOptions.DEVICE_SORT_ENABLED)
            ? ExecutorRuntime.current().sorts(conf).filter(found -> isFaster(found, MANY_ROWS))
            : Optional.empty();
    boolean all = kept.addAll(batches, device.isPresent());
    if (all && kept.rows() > 0 && kept.rows() <= Integer.MAX_VALUE && isSorted(device)) {
      return to.finish(Long.MAX_VALUE) ? null : ScalaInterop.noElements();
    }
    return to.addAll(kept.drained(batches));
  }

  /** Sorts all rows; false if they are left to be collected series by series. */
  private boolean isSorted(Optional<TaskSorts> device) {
    int rows = (int) kept.rows();
    if (device.filter(found -> isFaster(found, rows)).isPresent() && isSorted(device.get(), true)) {
      return true;
    }
    return kept.ranges().isScattered(rows) && isSorted(new HostSorts(), false);
  }

  private boolean isFaster(TaskSorts device, int rows) {
    try (TaskOrder order = new TaskOrder(to.layout(), kept.nulls(), rows)) {
      return order.isFaster(device);
    }
  }

  private boolean isSorted(RowSorts sorts, boolean onDevice) {
    long start = System.nanoTime();
    long reserved = 0;
    try (TaskOrder order = new TaskOrder(to.layout(), kept.nulls(), (int) kept.rows())) {
      long needed = order.hostBytes(sorts);
      if (needed + order.bytes() > mostBytes - pages.bytesInUse() || !pages.tryReserve(needed)) {
        return false;
      }
      reserved = needed;
      return order.isPacked(kept)
          && order.isMade(kept, sorts)
          && to.adopt(order, kept, onDevice, start);
    } catch (StencilException e) {
      to.deviceFailed();
      if (!sorts.isLeftToHost(e)) {
        throw e;
      }
      return false;
    } finally {
      pages.unreserve(reserved);
    }
  }
}
