/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.List;

/**
 * What the neighbours of a partition may need of it: how many cells it has, its first and its last.
 * A partition with fewer cells than that gives all of them, in both.
 *
 * @param cells the number of cells in the partition
 * @param heads its first cells, for each staged column
 * @param tails its last cells, in the order of the series, for each staged column
 */
public record PartitionEnds(long cells, List<CellColumn> heads, List<CellColumn> tails)
    implements Serializable {
  /** Checks that there is something. */
  public PartitionEnds {
    requireNonNull(heads, "heads is null");
    requireNonNull(tails, "tails is null");
  }
}
