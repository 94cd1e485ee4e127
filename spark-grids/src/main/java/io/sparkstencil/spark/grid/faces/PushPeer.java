/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.network.client.RpcResponseCallback;
import org.apache.spark.network.client.TransportClient;

/**
 * The connections to one other executor. They are made in the background; a face that has none is
 * not waited for. After a failure all are closed, and made again later.
 */
final class PushPeer {
  private static final System.Logger LOG = System.getLogger(PushPeer.class.getName());

  /** So long an answer is waited for, and longer for bytes that are on their way. */
  static final long ANSWER_NANOS = 1_000_000_000L;

  private static final long SLOWEST_BYTES_PER_SECOND = 10_000_000;
  private static final long FIRST_PAUSE_NANOS = 100_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 5_000_000_000L;

  private final PushTransport transport;
  private final String host;
  private final int port;
  private final Executor threads;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong pauseNanos = new AtomicLong(FIRST_PAUSE_NANOS);
  private List<TransportClient> clients = List.of();
  private boolean connecting;
  private boolean closed;
  private boolean warned;
  private long nextTry = System.nanoTime();
  private int next;

  PushPeer(PushTransport transport, String host, int port, Executor threads) {
    this.transport = transport;
    this.host = host;
    this.port = port;
    this.threads = threads;
  }

  /**
   * Sends a face, if there is a connection.
   *
   * @return the answer; fails if none comes
   */
  CompletableFuture<PushAnswer> send(PushHeader header, ByteBuffer face) {
    TransportClient client = client();
    if (client == null) {
      return CompletableFuture.failedFuture(new IOException("not connected"));
    }
    CompletableFuture<PushAnswer> answer = new CompletableFuture<>();
    long all = bytes.addAndGet(header.bytes());
    PushTransport.send(client, header, face, answerTo(answer));
    return answer
        .orTimeout(
            ANSWER_NANOS + all * TimeUnit.SECONDS.toNanos(1) / SLOWEST_BYTES_PER_SECOND,
            TimeUnit.NANOSECONDS)
        .whenComplete(
            (given, failure) -> {
              bytes.addAndGet(-header.bytes());
              if (failure == null) {
                pauseNanos.set(FIRST_PAUSE_NANOS); // without the monitor: this is a network thread
              } else {
                failed(client, failure);
              }
            });
  }

  private static RpcResponseCallback answerTo(CompletableFuture<PushAnswer> answer) {
    return new RpcResponseCallback() {
      @Override
      public void onSuccess(ByteBuffer response) {
        try {
          answer.complete(PushAnswer.of(response));
        } catch (IllegalArgumentException e) {
          answer.completeExceptionally(e);
        }
      }

      @Override
      public void onFailure(Throwable failure) {
        answer.completeExceptionally(failure);
      }
    };
  }

  /** Returns a connection; null if there is none yet. */
  private TransportClient client() {
    TransportClient client = nextClient();
    if (client != null && !client.isActive()) {
      failed(client, new IOException("the connection was closed"));
      return null;
    }
    return client;
  }

  private synchronized TransportClient nextClient() {
    if (!clients.isEmpty()) {
      next = (next + 1) % clients.size();
      return clients.get(next);
    }
    if (!connecting && !closed && System.nanoTime() - nextTry >= 0) {
      connecting = true;
      try {
        threads.execute(this::connect);
      } catch (RejectedExecutionException e) { // the executor is about to end
        connecting = false;
      }
    }
    return null;
  }

  private void connect() {
    List<TransportClient> made = new ArrayList<>();
    Exception failure = null;
    try {
      while (made.size() < transport.connections()) {
        made.add(transport.connect(host, port));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = e;
    } catch (Exception e) { // Netty throws what it does not declare
      failure = e;
    }
    synchronized (this) {
      connecting = false;
      if (failure == null && !closed) {
        clients = made;
        return;
      }
      pause(failure);
    }
    closeAll(made);
  }

  /** Closes all connections: what was on its way does not come any more. */
  private void failed(TransportClient client, Throwable failure) {
    List<TransportClient> all;
    synchronized (this) {
      if (!clients.contains(client)) {
        return;
      }
      all = clients;
      clients = List.of();
      pause(failure);
    }
    closeAll(all);
  }

  /**
   * Closes connections, and does not wait for it: a network thread may be the one that calls. What
   * hears of their end may need the monitor, so nobody calls this with it.
   */
  private static void closeAll(List<TransportClient> all) {
    for (TransportClient each : all) {
      try {
        var unused = each.getChannel().close();
      } catch (RuntimeException e) { // its thread has ended, and the connection with it
        LOG.log(System.Logger.Level.DEBUG, "a connection for faces was closed before: {0}", e);
      }
    }
  }

  private void pause(Throwable failure) {
    nextTry =
        System.nanoTime() + pauseNanos.getAndUpdate(now -> Math.min(LONGEST_PAUSE_NANOS, 2 * now));
    if (!warned && !closed) {
      warned = true;
      LOG.log(
          System.Logger.Level.WARNING,
          "faces cannot be pushed to the executor at {0}:{1} ({2}); they go through the block"
              + " managers until it can be reached",
          host,
          Integer.toString(port),
          String.valueOf(failure));
    }
  }

  /** Closes the connections; others are made when faces are sent. */
  void cut() {
    List<TransportClient> all;
    synchronized (this) {
      all = clients;
    }
    closeAll(all);
  }

  void close() {
    List<TransportClient> all;
    synchronized (this) {
      closed = true;
      all = clients;
      clients = List.of();
    }
    closeAll(all);
  }
}
