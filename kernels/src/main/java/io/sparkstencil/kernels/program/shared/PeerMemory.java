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
import java.util.concurrent.ConcurrentHashMap;

/**
 * Memory of a device that other processes map, and memory of other processes that this one has
 * mapped. Where the driver refuses either, that is logged once and not tried again.
 *
 * <p>The driver does not say what becomes of mapped memory that its owner frees. So what was shared
 * once is only lent again, for smaller faces too, and freed when the device is given up. Safe for
 * many threads.
 *
 * <p>Faces that are offered have memory of their own, so that those that are kept for whoever is
 * lost take no room from them.
 */
public final class PeerMemory implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PeerMemory.class.getName());

  /** Smaller allocations have pages in common with others, which nobody else is to see. */
  private static final long LEAST_BYTES = 2 << 20;

  private static final int MOST_REFUSED = 100;

  private final PrimaryContext context;
  private final BufferPool<DeviceBuffer> pool;
  private final BufferPool<DeviceBuffer> kept;
  private final Map<String, Long> lentAddresses = new ConcurrentHashMap<>(); // by handle
  private final Map<String, Mapping> mappings = new HashMap<>(); // guarded by this
  private final Set<UUID> refused = new HashSet<>(); // guarded by this
  private volatile boolean shares;
  private boolean maps; // guarded by this

  /** Memory that is mapped once for all that use it. */
  public final class Mapping implements AutoCloseable {
    private final String handle;
    private final MappedMemory memory; // null for memory of this process
    private final long address;
    private int users;

    private Mapping(String handle, MappedMemory memory, long address) {
      this.handle = handle;
      this.memory = memory;
      this.address = address;
    }

    /** Returns the address of the first byte in this process. */
    public long address() {
      return memory == null ? address : memory.address();
    }

    @Override
    public void close() {
      synchronized (PeerMemory.this) {
        users--;
        if (users == 0 && memory != null) {
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
   * @param limitBytes the most memory for faces that are offered
   * @param keptBytes the most memory for faces that are kept
   * @param reserveBytes of the device, which are left to others when faces are kept
   */
  public PeerMemory(
      PrimaryContext context, boolean enabled, long limitBytes, long keptBytes, long reserveBytes) {
    this.context = context;
    this.shares = enabled;
    this.maps = enabled;
    pool = new BufferPool<>("device memory for faces", limitBytes, 0, context::allocateDevice);
    kept =
        new BufferPool<>(
            "device memory for the log of faces",
            keptBytes,
            0,
            bytes -> {
              if (context.freeBytes() < bytes + reserveBytes) {
                throw new DeviceOutOfMemoryException(
                    "the log of faces leaves %d bytes of the device to others"
                        .formatted(reserveBytes));
              }
              return context.allocateDevice(bytes);
            });
  }

  /** Lends memory that other processes may map; nothing if there is none, or they may not. */
  public Optional<Lent> lend(long bytes) {
    return lend(pool, bytes);
  }

  /** Lends memory for faces that nobody may need; nothing if there is none, or it is not shared. */
  public Optional<Lent> lendToKeep(long bytes) {
    return lend(kept, bytes);
  }

  /** Lends memory for faces that nobody may need, and that no other process reads. */
  public Optional<BufferLease<DeviceBuffer>> keep(long bytes) {
    return kept.tryLease(Math.max(bytes, LEAST_BYTES));
  }

  private Optional<Lent> lend(BufferPool<DeviceBuffer> from, long bytes) {
    Optional<BufferLease<DeviceBuffer>> found =
        shares ? from.tryLease(Math.max(bytes, LEAST_BYTES)) : Optional.empty();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    BufferLease<DeviceBuffer> lease = found.get();
    try {
      byte[] handle = context.share(lease.buffer());
      lentAddresses.put(FaceTicket.nameOf(handle), lease.buffer().address());
      return Optional.of(new Lent(lease, handle));
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

  /**
   * Maps what another process has lent, or finds what this one has for the same device; nothing if
   * the driver refuses.
   */
  public synchronized Optional<Mapping> map(FaceTicket ticket) {
    if (ticket.isOfThisProcess()) {
      return Optional.ofNullable(lentAddresses.get(ticket.handle()))
          .map(address -> new Mapping(ticket.handle(), null, address));
    }
    if (!maps || !ticket.isOfThisHost() || refused.contains(ticket.nonce())) {
      return Optional.empty();
    }
    Mapping mapping = mappings.get(ticket.handle());
    if (mapping == null) {
      try {
        mapping = new Mapping(ticket.handle(), context.map(ticket.handleBytes()), 0);
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
        "this process {0} other executors of the host: {1}; faces take another way",
        what,
        why.getMessage());
  }

  @Override
  public void close() {
    pool.close();
    kept.close();
  }

  /** Returns what the memory for faces that are kept is used for. */
  public BufferPool.Usage keptUsage() {
    return kept.usage();
  }
}
