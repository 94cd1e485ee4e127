/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import io.sparkstencil.grid.FacePath;
import io.sparkstencil.spark.grid.runs.GridCounters;
import io.sparkstencil.spark.grid.runs.GridSpace;
import java.lang.ref.Cleaner;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.SparkSession;

/** What the states of a grid have in common; when none is reachable any more, the grid ends. */
final class GridLife implements AutoCloseable {
  /** Ends what users have forgotten. */
  static final Cleaner CLEANER = Cleaner.create();

  private static final double NANOS = 1e9;

  private final SparkSession spark;
  private final GridSpace space;
  private final GridListener listener;
  private Cleaner.Cleanable cleaning;

  private GridLife(SparkSession spark, GridSpace space, GridListener listener) {
    this.spark = spark;
    this.space = space;
    this.listener = listener;
  }

  static GridLife of(SparkSession spark, GridSpace space, GridListener listener) {
    GridLife life = new GridLife(spark, space, listener);
    life.cleaning = CLEANER.register(life, space::close);
    return life;
  }

  SparkSession spark() {
    return spark;
  }

  GridSpace space() {
    return space;
  }

  Configuration hadoop() {
    return space.spark().hadoopConfiguration();
  }

  GridListener listener() {
    return listener;
  }

  private static Map<String, Long> byName(Map<FacePath, Long> faces) {
    Map<String, Long> named = new TreeMap<>();
    faces.forEach((path, count) -> named.put(path.name().toLowerCase(Locale.ROOT), count));
    return named;
  }

  GridMetrics metrics() {
    GridCounters.Counts counts = space.counters().counts();
    return new GridMetrics(
        counts.jobs(),
        counts.supersteps(),
        counts.replays(),
        counts.repairs(),
        counts.checkpoints(),
        counts.cellSteps(),
        counts.times().stepNanos() / NANOS,
        counts.times().exchangeNanos() / NANOS,
        counts.faceBytes(),
        byName(counts.faces()),
        counts.logBytes(),
        counts.logNanos() / NANOS,
        counts.deviceLogBytes(),
        counts.deviceBytes(),
        counts.diskBytes(),
        counts.engines(),
        new GridMetrics.Times(
            counts.jobNanos() / NANOS,
            counts.outsideNanos() / NANOS,
            counts.times().stepNanos() / NANOS,
            counts.times().giveNanos() / NANOS,
            counts.times().takeNanos() / NANOS,
            counts.times().waitNanos() / NANOS,
            counts.times().earlyFaces(),
            counts.times().pushNanos() / NANOS,
            counts.times().pushes(),
            counts.againNanos() / NANOS));
  }

  @Override
  public void close() {
    cleaning.clean();
  }
}
