/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program.shared;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.BufferPool;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.MappedMemory;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.DeviceOutOfMemoryException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Memory of a device that other processes map, and memory of other processes that this one has
 * mapped. Where the driver refuses either, that is logged once and not tried again.
 *
 * <p>The driver does not say what becomes of mapped memory that its owner frees. So what was shared
 * once is only shared again, and freed when the device is given up. Safe for many threads.
 */
public final class SharedMemory implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SharedMemory.class.getName());

  /** Smaller allocations have pages in common with others, which nobody else is to see. */
  private static final long LEAST_BYTES = 2 << 20;

  private static final int MOST_REFUSED = 100;

  private final PrimaryContext context;
  private final BufferPool<DeviceBuffer> pool;
  private final Map<String, Mapping> mappings = new HashMap<>(); // guarded by this
  private final Set<UUID> refused = new HashSet<>(); // guarded by this
  private volatile boolean shares;
  private boolean maps; // guarded by this

  /** Memory that is mapped once for all that use it. */
  public final class Mapping implements AutoCloseable {
    private final String handle;
    private final MappedMemory memory;
    private int users;

    private Mapping(String handle, MappedMemory memory) {
      this.handle = handle;
      this.memory = memory;
    }

    /** Returns the address of the first byte in this process. */
    public long address() {
      return memory.address();
    }

    @Override
    public void close() {
      synchronized (SharedMemory.this) {
        users--;
        if (users == 0) {
          mappings.remove(handle);
          memory.close();
        }
      }
    }
  }

  /** Memory that is lent, and its name. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
  public record Lent(BufferLease<DeviceBuffer> lease, byte[] handle) {}

  /**
   * Creates nothing yet.
   *
   * @param enabled whether memory is shared at all
   * @param limitBytes the most memory to share
   */
  public SharedMemory(PrimaryContext context, boolean enabled, long limitBytes) {
    this.context = context;
    this.shares = enabled;
    this.maps = enabled;
    pool = new BufferPool<>("device memory for faces", limitBytes, 0, context::allocateDevice);
  }

  /** Lends memory that other processes may map; nothing if there is none, or they may not. */
  public Optional<Lent> lend(long bytes) {
    if (!shares) {
      return Optional.empty();
    }
    BufferLease<DeviceBuffer> lease;
    try {
      lease = pool.lease(Math.max(bytes, LEAST_BYTES));
    } catch (DeviceOutOfMemoryException e) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Lent(lease, context.share(lease.buffer())));
    } catch (UnsupportedOperationException e) {
      lease.close();
      shares = false;
      logRefused("shares no memory with", e);
      return Optional.empty();
    } catch (RuntimeException e) {
      lease.close();
      throw e;
    }
  }

  /** Maps what another process has lent; nothing if the driver refuses. */
  public synchronized Optional<Mapping> map(FaceTicket ticket) {
    if (!maps || !ticket.isBeside() || refused.contains(ticket.nonce())) {
      return Optional.empty();
    }
    Mapping mapping = mappings.get(ticket.handle());
    if (mapping == null) {
      try {
        mapping = new Mapping(ticket.handle(), context.map(ticket.handleBytes()));
      } catch (UnsupportedOperationException e) {
        if (refused.isEmpty()) {
          logRefused("maps no memory of", e);
        }
        refused.add(ticket.nonce());
        // that of one that has ended says nothing about the others
        maps =
            refused.size() < MOST_REFUSED
                && !ProcessHandle.of(ticket.process()).map(ProcessHandle::isAlive).orElse(false);
        return Optional.empty();
      }
      mappings.put(ticket.handle(), mapping);
    }
    mapping.users++;
    return Optional.of(mapping);
  }

  private static void logRefused(String what, UnsupportedOperationException why) {
    LOG.log(
        System.Logger.Level.WARNING,
        "this process {0} other executors of the host: {1}; faces go through the block managers",
        what,
        why.getMessage());
  }

  @Override
  public void close() {
    pool.close();
  }
}
