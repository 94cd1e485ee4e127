/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.network.netty.NettyBlockTransferService;
import org.apache.spark.storage.BlockData;
import org.apache.spark.storage.BlockInfo;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.BlockStatus;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.util.io.ChunkedByteBuffer;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.OptionConverters;

/**
 * Bytes that tasks keep in the block managers of their executors, and that tasks elsewhere read.
 * They are named like the partitions of an RDD, by the number of an RDD that nobody computes and an
 * index: so Spark removes them by RDD, spills them to disk, and does not take an executor that has
 * some for an idle one.
 */
public final class BlockBytes {
  private BlockBytes() {}

  /** Returns a new number of an RDD; called on the driver. */
  public static int newId(SparkContext context) {
    return context.newRddId();
  }

  private static BlockManager manager() {
    return SparkEnv.get().blockManager();
  }

  private static RDDBlockId name(int id, int index) {
    return new RDDBlockId(id, index);
  }

  /**
   * Keeps bytes in this executor; those that are there already under the same name stay.
   *
   * @param bytes from its position to its limit; not changed afterwards
   * @param onDisk whether they are to take no memory
   * @return whether they are kept now and were not before
   */
  public static boolean put(int id, int index, ByteBuffer bytes, boolean onDisk) {
    return put(id, index, bytes, onDisk, true);
  }

  /**
   * Keeps bytes in this executor; those that are there already under the same name stay.
   *
   * @param tells whether the driver is to know of them, so that others find them
   */
  public static boolean put(int id, int index, ByteBuffer bytes, boolean onDisk, boolean tells) {
    if (isHere(id, index)) {
      if (tells) {
        tell(id, index);
      }
      return false; // the block manager would say so in a warning
    }
    return manager()
        .putBytes(
            name(id, index),
            new ChunkedByteBuffer(bytes.slice()),
            onDisk ? StorageLevel.DISK_ONLY() : StorageLevel.MEMORY_AND_DISK_SER(),
            tells,
            ScalaInterop.tag(byte[].class));
  }

  /**
   * Tells the driver of bytes that this executor has and the driver does not know of.
   *
   * @return whether there was something to tell
   */
  public static boolean tell(int id, int index) {
    Option<BlockStatus> status = manager().getStatus(name(id, index));
    if (status.isEmpty() || !isUntold(id, index)) {
      return false;
    }
    report(id, index, status.get());
    if (!isHere(id, index)) { // it was removed meanwhile
      report(id, index, BlockStatus.empty());
    }
    return true;
  }

  /**
   * Keeps bytes in this executor in place of those under the same name, here and elsewhere: Spark
   * copies those of an executor that is about to end to others.
   */
  public static void replace(int id, int index, ByteBuffer bytes) {
    removeHere(id, index);
    if (isAnywhere(id, index)) {
      manager().master().removeBlock(name(id, index)); // in the background
    }
    put(id, index, bytes, false);
  }

  private static boolean isUntold(int id, int index) {
    Option<BlockInfo> info = manager().blockInfoManager().get(name(id, index));
    return info.isDefined() && !info.get().tellMaster();
  }

  private static void report(int id, int index, BlockStatus status) {
    manager()
        .master()
        .updateBlockInfo(
            manager().blockManagerId(),
            name(id, index),
            status.storageLevel(),
            status.memSize(),
            status.diskSize());
  }

  /**
   * Tells the driver, for its storage page, what stands behind bytes that this executor has: memory
   * on and off the heap, and on disk. Off the heap is what a device has.
   */
  public static void tellSizes(int id, int index, long heap, long offHeap, long disk) {
    StorageLevel level =
        offHeap > 0
            ? StorageLevel.OFF_HEAP()
            : heap > 0 ? StorageLevel.MEMORY_ONLY() : StorageLevel.DISK_ONLY();
    BlockManager manager = manager();
    RDDBlockId name = name(id, index);
    manager.master().updateBlockInfo(manager.blockManagerId(), name, level, heap + offHeap, disk);
    if (!isHere(id, index)) { // it was removed meanwhile
      manager.master().updateBlockInfo(manager.blockManagerId(), name, StorageLevel.NONE(), 0, 0);
    }
  }

  /** Returns whether this executor has the bytes. */
  public static boolean isHere(int id, int index) {
    return manager().getStatus(name(id, index)).isDefined();
  }

  /** Returns a copy of bytes that this executor has. */
  public static Optional<ByteBuffer> local(int id, int index) {
    RDDBlockId name = name(id, index);
    Optional<BlockData> found = OptionConverters.toJava(manager().getLocalBytes(name));
    return found.map(
        data -> {
          try {
            ByteBuffer copy = ByteBuffer.allocate(Math.toIntExact(data.size()));
            return copy.put(data.toByteBuffer()).flip();
          } finally {
            manager().releaseLockAndDispose(name, data, Option.empty());
          }
        });
  }

  /** Returns bytes that another executor has; waits until they are here. */
  public static Optional<ByteBuffer> remote(int id, int index) {
    return OptionConverters.toJava(manager().getRemoteBytes(name(id, index)))
        .map(ChunkedByteBuffer::toByteBuffer);
  }

  /** Returns whether the driver knows an executor that has the bytes. */
  public static boolean isAnywhere(int id, int index) {
    return manager().master().getLocations(name(id, index)).nonEmpty();
  }

  /** Returns whether this process is an executor that has not ended. */
  public static boolean isRunning() {
    return SparkEnv.get() != null && !SparkEnv.get().isStopped();
  }

  /** Removes bytes from this executor, if it has them. */
  public static void removeHere(int id, int index) {
    if (!isHere(id, index)) {
      return; // the block manager would say so in a warning
    }
    boolean untold = isUntold(id, index);
    manager().removeBlock(name(id, index), true);
    if (untold) { // at first; somebody may have told of them later
      report(id, index, BlockStatus.empty());
    }
  }

  /** Removes all bytes of an RDD from all executors, in the background; called on the driver. */
  public static void remove(SparkContext context, int id) {
    if (!context.isStopped()) {
      context.env().blockManager().master().removeRdd(id, false);
    }
  }

  /** Removes bytes from all executors, in the background; called on the driver. */
  public static void remove(SparkContext context, int id, int index) {
    context.env().blockManager().master().removeBlock(name(id, index));
  }

  /**
   * Returns the address that the block manager of this executor listens on, which need not be the
   * one that others find it at.
   */
  public static String bindAddress() {
    try {
      Field address = NettyBlockTransferService.class.getDeclaredField("bindAddress");
      address.setAccessible(true);
      return (String) address.get(manager().blockTransferService());
    } catch (ReflectiveOperationException | RuntimeException e) { // another service
      return manager().blockManagerId().host();
    }
  }

  /** Returns this executor as a preferred location. */
  public static String here() {
    return location(manager().blockManagerId());
  }

  private static String location(BlockManagerId executor) {
    return "executor_%s_%s".formatted(executor.host(), executor.executorId());
  }

  /** Returns the host of an executor, given as a preferred location. */
  public static String hostOf(String location) {
    return location.substring(location.indexOf('_') + 1, location.lastIndexOf('_'));
  }

  /** Returns the other executors that the driver has, as preferred locations; asks it. */
  public static Set<String> others() {
    return CollectionConverters.asJava(manager().master().getPeers(manager().blockManagerId()))
        .stream()
        .map(BlockBytes::location)
        .collect(Collectors.toSet());
  }

  /**
   * Returns the executors as preferred locations, in a fixed order; the driver if it runs the
   * tasks. Those that are about to end, and get no tasks any more, are not among them unless there
   * are no others.
   */
  public static List<String> executors(SparkContext context) {
    List<BlockManagerId> all =
        new ArrayList<>(
            CollectionConverters.asJava(context.env().blockManager().master().getMemoryStatus())
                .keySet());
    if (all.size() > 1) {
      all.removeIf(BlockManagerId::isDriver);
      if (context.schedulerBackend() instanceof ExecutorAllocationClient client) {
        List<BlockManagerId> active =
            all.stream().filter(each -> client.isExecutorActive(each.executorId())).toList();
        all = active.isEmpty() ? all : active;
      }
    }
    return all.stream().map(BlockBytes::location).sorted().toList();
  }
}
