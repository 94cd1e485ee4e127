/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.sparkstencil.grid.FaceBuffer;
import io.sparkstencil.spark.catalyst.interop.BlockBytes;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import io.sparkstencil.spark.grid.blocks.BlockRegistry;
import io.sparkstencil.spark.grid.blocks.HeapShare;
import io.sparkstencil.spark.plugin.ExecutorRuntime;
import io.sparkstencil.spark.plugin.Resident;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkEnv;

/**
 * Takes faces that other executors push to this one, and pushes to them: one for each process, from
 * the first block on that has a neighbour in another executor. Safe for many threads.
 */
public final class FacePusher implements Resident {
  /** Where no byte has come for so long, nothing is on its way. */
  static final long QUIET_NANOS = 500_000_000L;

  private static final System.Logger LOG = System.getLogger(FacePusher.class.getName());

  /** The network's threads have at least so long to let go of memory, as it is freed then. */
  private static final long LEAST_PATIENCE_MILLIS = 200;

  private static final int THREADS = 4;
  private static final int NOTICE_THREADS = 2;

  private final int port;
  private final PushRoom room;
  private final ThreadPoolExecutor threads = BlockRegistry.pool(THREADS, "stencil-face-push");
  private final ThreadPoolExecutor notices =
      BlockRegistry.pool(NOTICE_THREADS, "stencil-face-push-notice");
  private final Map<Integer, PushRun> runs = new HashMap<>();
  private final Map<PushSecret, PushRun> bySecret = new ConcurrentHashMap<>();
  private final Map<String, PushPeer> peers = new HashMap<>();
  private final AtomicInteger inUse = new AtomicInteger(); // the memory of faces that are given
  private PushTransport transport; // null before the first run
  private boolean off;

  FacePusher(StencilConf conf) {
    off = !conf.get(StencilOptions.GRID_PUSH);
    port = conf.get(StencilOptions.GRID_PUSH_PORT);
    room = new PushRoom(HeapShare.faceBytes(conf, Runtime.getRuntime().maxMemory()));
  }

  /** Returns the one of the process of {@code runtime}. */
  public static FacePusher of(ExecutorRuntime runtime) {
    return runtime.resident(FacePusher.class, FacePusher::new);
  }

  /**
   * Returns what is pushed of a run, for one more block.
   *
   * @return nothing if faces are not pushed from and to this process
   */
  synchronized Optional<PushRun> enter(int run) {
    if (!off && transport == null) {
      start();
    }
    if (off) {
      return Optional.empty();
    }
    PushRun known =
        runs.computeIfAbsent(
            run,
            same -> {
              PushTicket ticket =
                  new PushTicket(
                      BlockBytes.here(), transport.host(), transport.port(), PushSecret.next());
              PushRun made = new PushRun(this, run, ticket);
              bySecret.put(ticket.secret(), made);
              return made;
            });
    known.use(1);
    return Optional.of(known);
  }

  /**
   * Counts a block out; the last one of a run ends its tickets, the last of all the connections.
   */
  synchronized void leave(PushRun run) {
    if (run.use(-1) == 0) {
      runs.remove(run.run());
      bySecret.remove(run.ticket().secret());
    }
    if (runs.isEmpty()) {
      closePeers();
    }
  }

  private void closePeers() {
    peers.values().forEach(PushPeer::close);
    peers.clear();
  }

  private void start() {
    try {
      transport = new PushTransport(SparkEnv.get(), port, this::begin);
      LOG.log(
          System.Logger.Level.INFO,
          "faces of grids are taken on {0}:{1}",
          transport.host(),
          Integer.toString(transport.port()));
    } catch (IOException | RuntimeException e) {
      off = true;
      LOG.log(
          System.Logger.Level.WARNING,
          "faces of grids go through the block managers: {0}; give another {1}",
          e.getMessage(),
          StencilOptions.GRID_PUSH_PORT.key());
    }
  }

  private PushArrival begin(PushHeader header) {
    PushRun run = bySecret.get(header.secret());
    return run == null
        ? PushArrival.dropped(PushAnswer.UNKNOWN_RUN, header.bytes())
        : run.begin(header);
  }

  /** Returns the connections to an executor. */
  synchronized PushPeer peer(PushTicket ticket) {
    return peers.computeIfAbsent(
        ticket.executor(), same -> new PushPeer(transport, ticket.host(), ticket.port(), threads));
  }

  /** Does something that may wait for others; never if this is about to end. */
  void inBackground(Runnable work) {
    execute(threads, work);
  }

  /** Says that a face has come, without the network's thread, and before what waits for others. */
  void notice(Runnable notice) {
    execute(notices, notice);
  }

  /** What a thread of a pool does not catch, Spark ends the executor for. */
  private static void execute(ThreadPoolExecutor pool, Runnable work) {
    try {
      pool.execute(
          () -> {
            try {
              work.run();
            } catch (Exception e) { // Scala declares none
              LOG.log(System.Logger.Level.DEBUG, "work for faces that are pushed failed: {0}", e);
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.log(System.Logger.Level.DEBUG, "faces are pushed no more: {0}", e.getMessage());
    }
  }

  /**
   * Returns memory of a face that is given, for which {@link #close} waits until it goes back,
   * unless it is on the heap.
   */
  FaceBuffer watched(FaceBuffer memory) {
    if (memory instanceof HeapFace) {
      return memory;
    }
    inUse.incrementAndGet();
    return new FaceBuffer() {
      @Override
      public ByteBuffer bytes() {
        return memory.bytes();
      }

      @Override
      public void close() {
        try {
          memory.close();
        } finally {
          inUse.decrementAndGet();
        }
      }
    };
  }

  /**
   * The network's threads end later than the transport; engines take memory back that they read.
   */
  private void awaitUnused(long patienceMillis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    try {
      while (inUse.get() > 0 && System.nanoTime() - end < 0) {
        Thread.sleep(1);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  PushRoom room() {
    return room;
  }

  /** Returns the runs of which this process has blocks. */
  synchronized int countRuns() {
    return runs.size();
  }

  /** Closes all connections that this process has made, as a network does that fails. */
  synchronized void cut() {
    peers.values().forEach(PushPeer::cut);
  }

  @Override
  public void show(MetricRegistry metrics) {
    metrics.register("grids.pushedBytes", (Gauge<Long>) room::used);
  }

  @Override
  public void close(long patienceMillis) {
    PushTransport closing;
    synchronized (this) {
      off = true;
      closing = transport;
      closePeers();
      bySecret.clear();
    }
    threads.shutdownNow();
    notices.shutdownNow();
    if (closing != null) {
      closing.close();
    }
    awaitUnused(Math.max(LEAST_PATIENCE_MILLIS, patienceMillis));
  }
}
