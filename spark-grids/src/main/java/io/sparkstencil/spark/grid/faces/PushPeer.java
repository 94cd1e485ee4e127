/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
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
 * not waited for. One that fails is closed, and made again later; others may bring faces in time.
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
  private List<Link> links = List.of();
  private boolean connecting;
  private boolean closed;
  private boolean warned;
  private long nextTry = System.nanoTime();

  /** A connection, and the bytes that are on their way there. */
  private record Link(TransportClient client, AtomicLong bytes) {}

  PushPeer(PushTransport transport, String host, int port, Executor threads) {
    this.transport = transport;
    this.host = host;
    this.port = port;
    this.threads = threads;
  }

  /**
   * Sends a face, if there is a connection; a large one over several at a time.
   *
   * @return the answer; fails if none comes
   */
  CompletableFuture<PushAnswer> send(PushHeader header, FaceBytes face) {
    CompletableFuture<PushAnswer> all = CompletableFuture.completedFuture(PushAnswer.TAKEN);
    for (PushHeader part : header.parts()) {
      CompletableFuture<PushAnswer> sent = sendPart(part, face);
      if (sent.isCompletedExceptionally()) {
        return sent; // others would be of no use
      }
      all = all.thenCombine(sent, (one, other) -> one == PushAnswer.TAKEN ? other : one);
    }
    return all;
  }

  private CompletableFuture<PushAnswer> sendPart(PushHeader header, FaceBytes face) {
    Link link = link();
    if (link == null) {
      return CompletableFuture.failedFuture(new IOException("not connected"));
    }
    if (!face.retain()) {
      return CompletableFuture.failedFuture(new IOException("the face is not there any more"));
    }
    CompletableFuture<PushAnswer> answer = new CompletableFuture<>();
    long all = bytes.addAndGet(header.partBytes());
    link.bytes().addAndGet(header.partBytes());
    try {
      PushTransport.send(link.client(), header, face, answerTo(answer));
    } catch (RuntimeException e) {
      answer.completeExceptionally(e);
    }
    return answer
        .orTimeout(
            ANSWER_NANOS + all * TimeUnit.SECONDS.toNanos(1) / SLOWEST_BYTES_PER_SECOND,
            TimeUnit.NANOSECONDS)
        .whenComplete(
            (given, failure) -> {
              face.release();
              bytes.addAndGet(-header.partBytes());
              link.bytes().addAndGet(-header.partBytes());
              if (failure == null) {
                pauseNanos.set(FIRST_PAUSE_NANOS); // without the monitor: this is a network thread
              } else {
                failed(link, failure);
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
  private Link link() {
    while (true) {
      Link link = leastLoaded();
      if (link == null || link.client().isActive()) {
        return link;
      }
      failed(link, new IOException("the connection was closed"));
    }
  }

  private synchronized Link leastLoaded() {
    if (links.size() < PushTransport.CONNECTIONS
        && !connecting
        && !closed
        && System.nanoTime() - nextTry >= 0) {
      connecting = true;
      try {
        threads.execute(this::connect);
      } catch (RejectedExecutionException e) { // the executor is about to end
        connecting = false;
      }
    }
    return links.isEmpty()
        ? null
        : Collections.min(links, Comparator.comparingLong(link -> link.bytes().get()));
  }

  private synchronized int missing() {
    return PushTransport.CONNECTIONS - links.size();
  }

  private void connect() {
    List<Link> made = new ArrayList<>();
    Exception failure = null;
    try {
      for (int missing = missing(); made.size() < missing; ) {
        made.add(new Link(transport.connect(host, port), new AtomicLong()));
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
        made.addAll(links);
        links = made;
        return;
      }
      pause(failure);
    }
    closeAll(made);
  }

  /** Closes a connection: what was on its way there does not come any more. */
  private void failed(Link link, Throwable failure) {
    synchronized (this) {
      if (!links.contains(link)) {
        return;
      }
      links = links.stream().filter(each -> !each.equals(link)).toList();
      pause(failure);
    }
    closeAll(List.of(link));
  }

  /**
   * Closes connections, and does not wait for it: a network thread may be the one that calls. What
   * hears of their end may need the monitor, so nobody calls this with it.
   */
  private static void closeAll(List<Link> all) {
    for (Link each : all) {
      try {
        var unused = each.client().getChannel().close();
      } catch (RuntimeException e) { // its thread has ended, and the connection with it
        LOG.log(System.Logger.Level.DEBUG, "a connection for faces was closed before: {0}", e);
      }
    }
  }

  private void pause(Throwable failure) {
    nextTry =
        System.nanoTime() + pauseNanos.getAndUpdate(now -> Math.min(LONGEST_PAUSE_NANOS, 2 * now));
    if (!warned && !closed && links.isEmpty()) {
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
    List<Link> all;
    synchronized (this) {
      all = links;
    }
    closeAll(all);
  }

  void close() {
    List<Link> all;
    synchronized (this) {
      closed = true;
      all = links;
      links = List.of();
    }
    closeAll(all);
  }
}
