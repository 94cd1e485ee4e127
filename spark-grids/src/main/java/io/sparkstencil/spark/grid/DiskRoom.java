/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.ExtendedBlock;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.catalyst.interop.LocalFiles;
import io.sparkstencil.spark.catalyst.interop.PlacedRdd;
import io.sparkstencil.spark.catalyst.interop.TaskFindings;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * What the disk of an executor has free for the blocks of a grid that have room neither on GPUs nor
 * on the heap.
 *
 * @param executor as a preferred location
 * @param folders where files of blocks lie
 * @param free the bytes that their disks have free
 */
record DiskRoom(String executor, List<String> folders, long free) implements Serializable {
  private static final double BYTES_PER_GB = 1e9;

  private static DiskRoom here() {
    return new DiskRoom(BlockBytes.here(), LocalFiles.folders(), LocalFiles.freeBytes());
  }

  /**
   * Returns the bytes of files for each byte of the cells in them: beside the cells they have the
   * faces that neighbours take and give.
   */
  static double bytesPerCellByte(FacePlan plan) {
    double own = 0;
    double faces = 0;
    for (int block = 0; block < plan.blocks().count(); block++) {
      ExtendedBlock place = plan.extended(block);
      own += place.own().cells();
      for (int giver : place.givers()) {
        faces += FacePlan.cells(place.partsOf(giver));
      }
    }
    return 1 + 2 * faces / own;
  }

  /** Asks executors, by a job of a task for each of them. */
  static List<DiskRoom> ask(JavaSparkContext spark) {
    List<String> executors = BlockBytes.executors(spark.sc());
    JavaRDD<Integer> tasks =
        spark.parallelize(Collections.nCopies(executors.size(), 0), executors.size());
    return TaskFindings.of(
        PlacedRdd.of(tasks, executors, (context, task, parent) -> here(), DiskRoom.class).rdd());
  }

  /**
   * Refuses a grid that certainly finds no room.
   *
   * @param rooms of all executors, some perhaps twice; those of one host share its disks
   * @param needed the bytes of each executor that have to wait in files, at the least
   */
  static void require(List<DiskRoom> rooms, double needed, List<Long> sizes) {
    Map<String, List<DiskRoom>> hosts =
        rooms.stream().collect(Collectors.groupingBy(room -> BlockBytes.hostOf(room.executor)));
    hosts.forEach(
        (host, beside) -> {
          double all = needed * beside.stream().map(DiskRoom::executor).distinct().count();
          long free = beside.stream().mapToLong(DiskRoom::free).max().orElse(0);
          if (all > free) {
            throw new InvalidStencilException(
                "a grid of %s cells has %.1f GB without room on GPUs and heaps of executors on %s, and the disks of %s have %.1f GB free; use fewer cells, F32, more executors, or larger disks by spark.local.dir"
                    .formatted(
                        sizes,
                        all / BYTES_PER_GB,
                        host,
                        String.join(", ", beside.get(0).folders),
                        free / BYTES_PER_GB));
          }
        });
  }
}
