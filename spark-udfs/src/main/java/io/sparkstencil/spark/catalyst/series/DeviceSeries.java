/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.series;

import io.sparkstencil.error.StencilException;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import io.sparkstencil.spark.catalyst.rows.RowPages;
import io.sparkstencil.spark.conf.SqlOptions;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.spark.plugin.RowSorts;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.collection.Iterator;

/** Collects the rows of a task as columns, which its device puts in order where it can. */
public final class DeviceSeries {
  /** Share of the bytes of all rows that batches may take before they are put in order. */
  private static final int KEPT_SHARE = 2;

  /** What a task has, before it is known how many: a device is not worth it for fewer anyway. */
  private static final int MANY_ROWS = 1 << 20;

  private DeviceSeries() {}

  /**
   * Adds rows in the batches in which they were shuffled.
   *
   * @param to takes the rows
   * @param pages where batches wait until all are there
   * @param mostBytes bytes that all rows of the task may take together
   * @return null if all rows are there, else the rows that found no memory
   * @throws io.sparkstencil.error.StencilException if the device fails and the host may not take
   *     its place
   */
  public static Iterator<InternalRow> addAll(
      SeriesColumns to,
      Iterator<InternalRow> batches,
      RowPages pages,
      long mostBytes,
      StencilConf conf) {
    boolean asked = conf.get(SqlOptions.DEVICE_SORT_ENABLED) && DeviceOrder.isPossible(to.layout());
    Optional<RowSorts> device =
        asked
            ? ExecutorRuntime.current().sorts(conf).filter(found -> mayBeFaster(to.layout(), found))
            : Optional.empty();
    return device.isPresent()
        ? addAll(to, batches, pages, mostBytes, device.get())
        : to.addAll(batches);
  }

  private static Iterator<InternalRow> addAll(
      SeriesColumns to,
      Iterator<InternalRow> batches,
      RowPages pages,
      long mostBytes,
      RowSorts device) {
    KeptBatches kept = new KeptBatches(pages, mostBytes / KEPT_SHARE, to.layout().nullWords());
    boolean all = kept.addAll(batches) && kept.rows() > 0 && kept.rows() <= Integer.MAX_VALUE;
    if (all && isAdopted(to, kept, mostBytes - pages.bytesInUse(), device)) {
      kept.release();
      return to.finish(Long.MAX_VALUE) ? null : ScalaInterop.noElements();
    }
    return to.addAll(kept.drained(batches));
  }

  private static boolean mayBeFaster(SeriesLayout layout, RowSorts device) {
    try (DeviceOrder order = new DeviceOrder(layout, new long[layout.nullWords()], MANY_ROWS)) {
      return order.isFaster(device);
    }
  }

  /**
   * Has a device put the rows in order; false if it does not.
   *
   * @param freeBytes bytes that the rows may take when they are back
   */
  private static boolean isAdopted(
      SeriesColumns to, KeptBatches kept, long freeBytes, RowSorts device) {
    long start = System.nanoTime();
    try (DeviceOrder order = new DeviceOrder(to.layout(), kept.nulls(), (int) kept.rows())) {
      return order.isFaster(device)
          && order.bytes() <= freeBytes
          && order.isPacked(kept)
          && order.isMade(kept, device)
          && to.adopt(order, start);
    } catch (StencilException e) {
      to.deviceFailed();
      if (!device.isLeftToHost(e)) {
        throw e;
      }
      return false;
    }
  }
}
