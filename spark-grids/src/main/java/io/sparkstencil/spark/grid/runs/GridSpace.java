/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.grid.FacePlan;
import io.sparkstencil.spark.catalyst.interop.Packed;
import io.sparkstencil.spark.catalyst.interop.Uninterrupted;
import io.sparkstencil.spark.grid.tasks.GridModel;
import io.sparkstencil.spark.plugin.GridStarted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleFunction;
import org.apache.spark.SerializableWritable;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.scheduler.LiveListenerBus;

/**
 * What all states of a grid share: the model, where runs begin, the runs, samples, and counters.
 * Safe for many threads. Closing it removes everything from all executors.
 */
public final class GridSpace implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(GridSpace.class.getName());

  private final JavaSparkContext spark;
  private final GridModel local;
  private final Broadcast<SerializableWritable<Packed<GridModel>>> model;
  private final CheckpointPlan checkpoints;
  private final DoubleFunction<String> expectation;
  private final Map<String, String> decodings;
  private final GridCounters counters = new GridCounters();
  private final GridSamples samples;
  private final GridWatch watch;
  private final List<JavaRDD<?>> persisted; // guarded by this
  private final long firstStep;
  private final Set<GridRun> runs = new HashSet<>(); // guarded by this
  private GridSource origin; // guarded by this
  private GridSource latest; // guarded by this
  private boolean writing; // guarded by this
  private boolean closed; // guarded by this
  private final AtomicBoolean ended = new AtomicBoolean(); // what listeners see of it

  /**
   * Creates a space without runs.
   *
   * @param origin where the grid begins
   * @param persisted RDDs that are to be given up with the grid
   * @param checkpoints when and where checkpoints are written
   * @param earlier what receivers have sampled up to the origin
   * @param expectation says what steps are expected to take beside the milliseconds that they have
   *     taken, NaN before
   * @param decodings what was done to the numbers of files, by the names of fields
   */
  public GridSpace(
      JavaSparkContext spark,
      GridModel model,
      GridSource origin,
      List<JavaRDD<?>> persisted,
      CheckpointPlan checkpoints,
      Optional<SampleSeries> earlier,
      DoubleFunction<String> expectation,
      Map<String, String> decodings) {
    this.spark = spark;
    this.local = model;
    this.model = spark.broadcast(Packed.of(model));
    this.origin = origin;
    this.latest = origin;
    this.firstStep = origin.step();
    this.persisted = new ArrayList<>(persisted);
    this.checkpoints = checkpoints;
    this.expectation = expectation;
    this.watch = new GridWatch(model);
    this.decodings = Collections.unmodifiableMap(new LinkedHashMap<>(decodings));
    this.samples = new GridSamples(origin.step(), model.receivers(), earlier);
    tell(local, counters, ended, context().listenerBus());
  }

  /** Lets listeners ask what the grid does, without keeping its cells for them. */
  private static void tell(
      GridModel model, GridCounters counters, AtomicBoolean ended, LiveListenerBus listeners) {
    FacePlan plan = model.plan();
    listeners.post(
        new GridStarted(
            "%s of %s".formatted(plan.blocks().sizes(), plan.type()),
            model.program().toString(),
            plan.blocks().count(),
            plan.steps(),
            () -> counters.state(!ended.get())));
  }

  /** Returns what blocks have told of cells that diverge. */
  public GridWatch watch() {
    return watch;
  }

  SparkContext context() {
    return spark.sc();
  }

  /** Returns Spark. */
  public JavaSparkContext spark() {
    return spark;
  }

  Broadcast<SerializableWritable<Packed<GridModel>>> model() {
    return model;
  }

  /** Returns what never changes about the grid. */
  public GridModel grid() {
    return local;
  }

  /** Returns the number of blocks. */
  public int blocks() {
    return local.plan().blocks().count();
  }

  /** Returns what steps are expected to take, and what they have taken. */
  public String expectation() {
    return expectation.apply(counters.millisPerStep());
  }

  /** Returns what was done to the numbers of files before they were cells, by fields. */
  public Map<String, String> decodings() {
    return decodings;
  }

  CheckpointPlan checkpoints() {
    return checkpoints;
  }

  /** Returns what was counted. */
  public GridCounters counters() {
    return counters;
  }

  GridSamples samples() {
    return samples;
  }

  /** Returns the samples up to a step, by the names of the receivers. */
  public Map<String, double[]> samplesUpTo(long step) {
    return samples.upTo(step);
  }

  /** Returns the steps that the grid had taken when it was created. */
  public long firstStep() {
    return firstStep;
  }

  /** Checks that the grid is open. */
  public synchronized void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the grid is closed; create it again to use it");
    }
  }

  /** Returns a new run that has taken so many steps as source that is at most at a step. */
  public GridRun newRun(long step) {
    GridSource source;
    synchronized (this) {
      requireOpen();
      source = latest.step() <= step ? latest : origin;
    }
    if (source.step() > step) {
      throw new InvalidStencilException(
          "the cells after %d steps are gone: the checkpoint that they came from was replaced by one after %d; ask later states"
              .formatted(step, source.step()));
    }
    GridRun run = new GridRun(this, source);
    synchronized (this) {
      requireOpen();
      runs.add(run);
    }
    return run;
  }

  /**
   * Claims the right to write a checkpoint, which one run has at a time. States that are computed
   * again, before the latest checkpoint, need none.
   */
  synchronized boolean claimCheckpoint(long step) {
    boolean granted = !writing && step > latest.step();
    writing |= granted;
    return granted;
  }

  /** Gives the right to write a checkpoint back. */
  synchronized void releaseCheckpoint() {
    writing = false;
  }

  /** Takes a checkpoint as the place where later runs begin. */
  synchronized void promote(GridSource checkpoint) {
    latest = checkpoint;
    if (checkpoints.replacesOrigin()) {
      origin = checkpoint;
    }
  }

  /** Gives up an RDD with the grid. */
  synchronized void keep(JavaRDD<?> rdd) {
    requireOpen();
    persisted.add(rdd);
  }

  synchronized void closed(GridRun run) {
    runs.remove(run);
  }

  /** Closes all runs. Closing again does nothing. */
  @Override
  public void close() {
    List<GridRun> open;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      ended.set(true);
      open = List.copyOf(runs);
    }
    Uninterrupted.run(() -> close(open));
  }

  private void close(List<GridRun> open) {
    open.forEach(GridRun::close);
    try {
      checkpoints.close();
    } catch (StencilException e) {
      LOG.log(System.Logger.Level.WARNING, "checkpoints keep their owner: {0}", e.getMessage());
    }
    if (!context().isStopped()) {
      List<JavaRDD<?>> kept;
      synchronized (this) {
        kept = List.copyOf(persisted);
      }
      kept.forEach(rdd -> rdd.unpersist(false));
      model.destroy();
    }
  }
}
