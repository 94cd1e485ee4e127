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
  private static final long MANY_ROWS = 1L << 20;

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
            ? ExecutorRuntime.current()
                .sorts(conf)
                .filter(found -> DeviceOrder.isFaster(to.layout(), found, MANY_ROWS, 0))
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
    SeriesLayout layout = to.layout();
    KeptBatches kept = new KeptBatches(pages, mostBytes / KEPT_SHARE, layout.nullWords());
    boolean all = kept.addAll(batches) && kept.rows() > 0 && kept.rows() <= Integer.MAX_VALUE;
    if (all
        && DeviceOrder.isFaster(layout, device, kept.rows(), kept.nullColumns())
        && pages.bytesInUse() + DeviceOrder.bytes(layout, kept) <= mostBytes
        && isAdopted(to, kept, device)) {
      kept.release();
      return to.finish(Long.MAX_VALUE) ? null : ScalaInterop.noElements();
    }
    return to.addAll(kept.drained(batches));
  }

  private static boolean isAdopted(SeriesColumns to, KeptBatches kept, RowSorts device) {
    long start = System.nanoTime();
    try (DeviceOrder order = new DeviceOrder(to.layout(), kept)) {
      return order.isMade(kept, device) && to.adopt(order, start);
    } catch (StencilException e) {
      to.deviceFailed();
      if (!device.isLeftToHost(e)) {
        throw e;
      }
      return false;
    }
  }
}
