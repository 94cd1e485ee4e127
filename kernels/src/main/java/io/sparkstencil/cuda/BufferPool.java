/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import io.sparkstencil.error.Cancellation;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;

/**
 * A bounded store of buffers that lends leases. Buffers come in size classes, four to each power of
 * two and the bound itself, and are kept for the next lease. Where the bound is reached, idle
 * buffers of other classes are freed first; then borrowers wait. Those that other processes may use
 * are only freed at the end; a larger one of them is lent where there is no other way. The borrower
 * that has waited longest looks first at what comes back. Borrowers that need no more than there is
 * go past it, since they may hold what it waits for. Safe for many threads.
 *
 * <pre>
 *   limit >= lent + idle
 * </pre>
 *
 * @param <B> kind of memory
 */
public final class BufferPool<B extends PooledBuffer> implements AutoCloseable {
  private static final long SMALLEST_BYTES = 4096;

  private final String name;
  private final long limitBytes;
  private final long waitMillis;
  private final LongFunction<B> allocate;
  private final ReentrantLock lock = new ReentrantLock(true);
  private final Condition returned = lock.newCondition();
  private final TreeMap<Long, Deque<B>> idle = new TreeMap<>();
  private long idleBytes;
  private long lentBytes;
  private long highWaterBytes;
  private int leases;
  private boolean closed;

  /**
   * Creates an empty pool.
   *
   * @param name what it lends, for messages
   * @param limitBytes the most that it holds, lent or idle
   * @param waitMillis how long a borrower waits for others to return theirs
   * @param allocate makes a buffer of a size
   */
  public BufferPool(String name, long limitBytes, long waitMillis, LongFunction<B> allocate) {
    this.name = name;
    this.limitBytes = limitBytes;
    this.waitMillis = waitMillis;
    this.allocate = allocate;
  }

  /**
   * Lends a buffer of at least {@code bytes}.
   *
   * @throws DeviceOutOfMemoryException if more is asked for than the pool may hold, if others kept
   *     theirs for too long, or if the driver gives no more
   */
  public BufferLease<B> lease(long bytes) {
    if (bytes > limitBytes) {
      throw new DeviceOutOfMemoryException(
          "a batch needs %d bytes of %s, but the pool holds at most %d; use smaller batches or a larger pool"
              .formatted(bytes, name, limitBytes));
    }
    return lease(bytes, waitMillis);
  }

  /**
   * Lends a buffer of at least {@code bytes} without waiting for others.
   *
   * @return empty if more is asked for than the pool may hold or has free, or if the driver gives
   *     no more
   */
  public Optional<BufferLease<B>> tryLease(long bytes) {
    if (bytes > limitBytes) {
      return Optional.empty();
    }
    try {
      return Optional.of(lease(bytes, 0));
    } catch (DeviceOutOfMemoryException e) {
      return Optional.empty();
    }
  }

  private BufferLease<B> lease(long bytes, long millis) {
    long size = Math.min(sizeClass(bytes), limitBytes);
    B buffer = reserve(size, millis);
    return new BufferLease<>(this, buffer != null ? buffer : allocateReserved(size));
  }

  /** Returns the smallest class that holds {@code bytes}: a quarter of a power of two apart. */
  static long sizeClass(long bytes) {
    if (bytes <= SMALLEST_BYTES) {
      return SMALLEST_BYTES;
    }
    long step = Long.highestOneBit(bytes - 1) / 4;
    return (bytes + step - 1) / step * step;
  }

  /** Returns the most bytes that take no more than {@code bytes} of a pool: the class below. */
  public static long largestWithin(long bytes) {
    if (bytes < SMALLEST_BYTES) {
      return 0;
    }
    long step = Long.highestOneBit(bytes) / 4;
    return bytes / step * step;
  }

  /** Takes an idle buffer, or returns null with {@code size} bytes set aside for a new one. */
  private B reserve(long size, long millis) {
    List<B> toFree = new ArrayList<>();
    lock.lock();
    try {
      long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
      while (true) {
        requireOpen();
        B buffer = takeIdle(size, size);
        if (buffer == null && lentBytes + size <= limitBytes) {
          evict(limitBytes - size, toFree);
          if (lentBytes + idleBytes + size <= limitBytes) {
            lend(size);
            return null;
          }
          buffer = takeIdle(size, Long.MAX_VALUE);
        }
        if (buffer != null) {
          return buffer;
        }
        if (nanos <= 0) {
          throw new DeviceOutOfMemoryException(
              "no %d bytes of %s came free within %d ms: %d of %d are lent to %d leases; use smaller batches, fewer tasks per GPU or a larger pool"
                  .formatted(size, name, millis, lentBytes, limitBytes, leases));
        }
        long left = nanos;
        nanos = Cancellation.await(() -> returned.awaitNanos(left));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DeviceOutOfMemoryException(
          "interrupted while waiting for %d bytes of %s".formatted(size, name), e);
    } finally {
      lock.unlock();
      toFree.forEach(PooledBuffer::close);
    }
  }

  /** Lends the smallest idle buffer of at least {@code least} bytes; null if it is too large. */
  private B takeIdle(long least, long most) {
    for (Deque<B> ofSize : idle.subMap(least, true, most, true).values()) {
      if (!ofSize.isEmpty()) {
        B buffer = ofSize.pop();
        idleBytes -= buffer.bytes();
        lend(buffer.bytes());
        return buffer;
      }
    }
    return null;
  }

  private void lend(long size) {
    lentBytes += size;
    leases++;
    highWaterBytes = Math.max(highWaterBytes, lentBytes + idleBytes);
  }

  /**
   * Moves idle buffers that may be freed, largest first, to {@code toFree} until all fit below
   * {@code bytes}.
   */
  private void evict(long bytes, List<B> toFree) {
    for (Deque<B> ofSize : idle.descendingMap().values()) {
      Iterator<B> each = ofSize.iterator();
      while (lentBytes + idleBytes > bytes && each.hasNext()) {
        B buffer = each.next();
        if (closed || !buffer.isShared()) {
          each.remove();
          idleBytes -= buffer.bytes();
          toFree.add(buffer);
        }
      }
    }
  }

  private B allocateReserved(long size) {
    try {
      return allocateOrFreeIdle(size);
    } catch (RuntimeException | Error e) {
      unreserve(size);
      B larger = e instanceof DeviceOutOfMemoryException ? takeLarger(size) : null;
      if (larger == null) {
        throw e;
      }
      return larger;
    }
  }

  /** Lends what may not be freed though it is larger; null if there is none. */
  private B takeLarger(long size) {
    lock.lock();
    try {
      return takeIdle(size, Long.MAX_VALUE);
    } finally {
      lock.unlock();
    }
  }

  private B allocateOrFreeIdle(long size) {
    try {
      return allocate.apply(size);
    } catch (DeviceOutOfMemoryException e) {
      freeIdle(); // what we keep may be all that there is
      return allocate.apply(size);
    }
  }

  private void unreserve(long size) {
    locked(
        () -> {
          lentBytes -= size;
          leases--;
          returned.signalAll();
        });
  }

  private void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  /** Frees what is not lent, and what no other process may use. */
  public void freeIdle() {
    List<B> toFree = new ArrayList<>();
    locked(() -> evict(0, toFree));
    toFree.forEach(PooledBuffer::close);
  }

  void takeBack(B buffer, CudaEvent lastUse) {
    boolean reusable = true;
    if (lastUse != null) {
      try {
        lastUse.synchronize();
      } catch (RuntimeException e) {
        reusable = false; // the context is lost; nobody may use this memory again
      }
    }
    boolean keep;
    lock.lock();
    try {
      keep = reusable && !closed;
      unreserve(buffer.bytes());
      if (keep) {
        idle.computeIfAbsent(buffer.bytes(), size -> new ArrayDeque<>()).push(buffer);
        idleBytes += buffer.bytes();
      }
    } finally {
      lock.unlock();
    }
    if (!keep) {
      buffer.close();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the pool of " + name + " is used after it was closed");
    }
  }

  /**
   * What a pool holds.
   *
   * @param leases how many are out
   * @param lentBytes bytes lent
   * @param idleBytes bytes kept for the next lease
   * @param highWaterBytes the most bytes that were held at once
   */
  public record Usage(int leases, long lentBytes, long idleBytes, long highWaterBytes) {}

  /** Returns what the pool holds now. */
  public Usage usage() {
    lock.lock();
    try {
      return new Usage(leases, lentBytes, idleBytes, highWaterBytes);
    } finally {
      lock.unlock();
    }
  }

  /** Frees idle buffers; those that are out are freed when they come back. */
  @Override
  public void close() {
    locked(
        () -> {
          closed = true;
          returned.signalAll();
        });
    freeIdle();
  }
}
