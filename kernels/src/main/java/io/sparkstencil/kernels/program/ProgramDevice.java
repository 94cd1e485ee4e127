/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.program;

import io.sparkstencil.cuda.BufferLease;
import io.sparkstencil.cuda.BufferPool;
import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.CudaStream;
import io.sparkstencil.cuda.DeviceBuffer;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.program.boxes.BoxStreams;
import io.sparkstencil.kernels.gpu.GpuOptions;
import io.sparkstencil.kernels.launch.HeldKernels;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.program.shared.PeerMemory;
import io.sparkstencil.kernels.program.watch.StrayKernel;
import io.sparkstencil.kernels.program.watch.StraySums;
import io.sparkstencil.kernels.tuning.MatrixTrial;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** What the programs of a device share: memory, kernels, streams. Safe for many threads. */
final class ProgramDevice implements AutoCloseable {
  private static final long TABLES_BYTES = 256 << 20;

  /** The part of the memory of programs that faces for other processes may take beside it. */
  private static final int PART_FOR_FACES = 8;

  /** The part of it that faces may take that are kept for blocks that may be lost. */
  private static final int PART_FOR_THE_LOG = 4;

  /** As much as this part of it, these leave free. */
  private static final int PART_FOR_OTHERS = 16;

  private final PrimaryContext context;
  private final KernelCache cache;
  private final BufferPool<PinnedBuffer> pinned;
  private final BufferPool<PinnedBuffer> faces;
  private final BufferPool<DeviceBuffer> memory;
  private final BufferPool<DeviceBuffer> tables;
  private final BufferPool<DeviceBuffer> blocks;
  private final PeerMemory shared;
  private final long memoryBytes;
  private final long blockBytes;
  private final Deque<ProgramLane> idle = new ArrayDeque<>(); // guarded by this
  private final Deque<ProgramLane> idleUrgent = new ArrayDeque<>(); // guarded by this
  private final List<Boolean> tensorCores = new ArrayList<>(); // guarded by itself
  private volatile boolean poisons;

  private ProgramDevice(PrimaryContext context, Map<String, String> options) {
    this.context = context;
    cache = new KernelCache(context);
    long wait = GpuOptions.WAIT.read(options);
    memoryBytes = GpuOptions.deviceBytes(options, context.freeBytes());
    pinned =
        new BufferPool<>(
            "pinned memory", GpuOptions.PINNED_BYTES.read(options), wait, context::allocatePinned);
    faces =
        new BufferPool<>(
            "pinned memory for faces",
            GpuOptions.GRID_PINNED_BYTES.read(options),
            0,
            context::allocatePinned);
    memory = new BufferPool<>("device memory", memoryBytes, wait, context::allocateDevice);
    tables = new BufferPool<>("device memory", TABLES_BYTES, wait, context::allocateDevice);
    blockBytes = blockBytes(options, memoryBytes);
    blocks =
        new BufferPool<>(
            "device memory for blocks of grids", blockBytes, 0, context::allocateDevice);
    long kept = GpuOptions.GRID_DEVICE_LOG_BYTES.read(options);
    shared =
        new PeerMemory(
            context,
            GpuOptions.GRID_IPC.read(options),
            memoryBytes / PART_FOR_FACES,
            kept > 0 ? kept : memoryBytes / PART_FOR_THE_LOG,
            memoryBytes / PART_FOR_OTHERS);
  }

  /** Returns the device memory for blocks of grids, where programs may have so much. */
  static long blockBytes(Map<String, String> options, long memoryBytes) {
    long asked = GpuOptions.GRID_BYTES.read(options);
    return asked > 0 ? asked : memoryBytes / 2;
  }

  static ProgramDevice open(CudaDriver driver, CudaDevice device, Map<String, String> options) {
    PrimaryContext context = driver.open(device.ordinal());
    try {
      return new ProgramDevice(context, options);
    } catch (RuntimeException e) {
      context.close();
      throw e;
    }
  }

  PrimaryContext context() {
    return context;
  }

  /**
   * Returns what choosing kernels for a program needs to know of the device. Before the first
   * program that tensor cores could take, these are tried out.
   */
  DeviceTraits traits(ProgramTraits program, ElementType type) {
    CudaDevice device = context.traits();
    DeviceTraits traits = new DeviceTraits(device.capability(), device.sharedBytesPerBlock());
    return traits.withTensorCores(BoxStreams.take(program, type) && tensorCoresFuse(traits));
  }

  private boolean tensorCoresFuse(DeviceTraits traits) {
    synchronized (tensorCores) {
      if (tensorCores.isEmpty()) {
        tensorCores.add(MatrixTrial.tried(context, traits).tensorCoresFuse());
      }
      return tensorCores.get(0);
    }
  }

  BufferPool<PinnedBuffer> pinned() {
    return pinned;
  }

  /** Returns the pinned memory for faces that travel, which waits for nobody. */
  BufferPool<PinnedBuffer> faces() {
    return faces;
  }

  /** Returns the memory for tables, which is not that for fields. */
  BufferPool<DeviceBuffer> tables() {
    return tables;
  }

  /**
   * Lends memory for fields.
   *
   * @param stream in which it is used
   */
  BufferLease<DeviceBuffer> lease(long bytes, CudaStream stream) {
    return lease(memory, bytes, stream);
  }

  /**
   * Lends memory for the fields of a block that stay; waits for nobody.
   *
   * @param stream in which it is used
   * @throws io.sparkstencil.error.DeviceOutOfMemoryException if blocks have no room left
   */
  BufferLease<DeviceBuffer> leaseForBlock(long bytes, CudaStream stream) {
    return lease(blocks, bytes, stream);
  }

  private BufferLease<DeviceBuffer> lease(
      BufferPool<DeviceBuffer> pool, long bytes, CudaStream stream) {
    BufferLease<DeviceBuffer> lease = pool.lease(bytes);
    if (poisons) {
      stream.fill(lease.buffer().address(), bytes, (byte) 0xFF);
    }
    return lease;
  }

  /** Fills memory with NaN from now on before it is used, so that tests see what is not written. */
  void poison() {
    poisons = true;
  }

  /** Returns the most device memory that programs may have, all together. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** Returns how much device memory blocks of grids may still take. */
  long roomForBlocks() {
    return blockBytes - blocks.usage().lentBytes();
  }

  /** Frees the memory of blocks that are gone, as others may come late. */
  void freeIdleBlocks() {
    blocks.freeIdle();
  }

  /** Returns the memory that is shared with other processes. */
  PeerMemory shared() {
    return shared;
  }

  /** Returns what keeps the kernels of one program loaded. */
  HeldKernels hold() {
    return cache.hold(ProgramKernelKey::generate);
  }

  /**
   * Returns what sums up stray cells.
   *
   * @param stream in which cells are written
   */
  StraySums straySums(CudaStream stream) {
    return new StraySums(cache.hold(StrayKernel::generate), pinned, tables, stream);
  }

  /** Returns streams that nobody else uses. */
  ProgramLane takeLane() {
    return takeLane(false);
  }

  /**
   * Returns streams that nobody else uses.
   *
   * @param urgent whether their kernels come before those of others
   */
  ProgramLane takeLane(boolean urgent) {
    synchronized (this) {
      ProgramLane lane = idle(urgent).poll();
      if (lane != null) {
        return lane;
      }
    }
    return new ProgramLane(context, urgent);
  }

  /** Takes streams back on which nothing is running. */
  synchronized void giveBack(ProgramLane lane) {
    idle(lane.isUrgent()).push(lane);
  }

  private Deque<ProgramLane> idle(boolean urgent) {
    return urgent ? idleUrgent : idle;
  }

  @Override
  public synchronized void close() {
    for (Deque<ProgramLane> lanes : List.of(idle, idleUrgent)) {
      lanes.forEach(ProgramLane::close);
      lanes.clear();
    }
    cache.close();
    pinned.close();
    faces.close();
    memory.close();
    tables.close();
    blocks.close();
    shared.close();
    context.close();
  }
}
