/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import io.sparkstencil.machine.ThisMachine;
import io.sparkstencil.spark.files.FactLines;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A folder that a process works in, and a lock in it that the system takes back when the process
 * ends, however it does. So others tell what is in use from what was left behind. On a file system
 * that hosts share, another one may see the folder and not its lock: the file says whose lock it
 * is, and what another host has locked is left to it.
 */
final class LockedFolder implements AutoCloseable {
  private static final String LOCK = ".lock";
  private static final String TITLE = "Spark Stencil: the process that works here, version 1";
  private static final int MOST_BYTES = 1 << 16;

  /** After this, a folder is taken for left behind that does not say who works in it. */
  private static final Duration OLD = Duration.ofDays(1);

  /**
   * Those of this process, whose files would be closed if nothing referred to them. A process loses
   * its lock of a file when it closes that file, however often it has opened it; so one thread at a
   * time opens any that is not among these, until it is.
   */
  private static final Map<Path, FileChannel> HELD = new ConcurrentHashMap<>();

  private final Path folder;
  private final Path real; // whatever links led to it
  private final FileChannel file;

  private LockedFolder(Path folder, FileChannel file) throws IOException {
    this.folder = folder;
    this.file = file;
    real = folder.toRealPath();
    HELD.put(real, file);
  }

  /** File systems that one host alone has at a time, whose locks all its processes see. */
  private static final Set<String> OF_ONE_HOST =
      Set.of(
          "ext2",
          "ext3",
          "ext4",
          "xfs",
          "btrfs",
          "zfs",
          "f2fs",
          "jfs",
          "bcachefs",
          "overlay",
          "tmpfs",
          "ramfs",
          "vfat",
          "exfat",
          "apfs",
          "hfs",
          "ufs",
          "NTFS",
          "ReFS",
          "FAT32");

  /** What removes a folder. */
  @FunctionalInterface
  interface Removal {
    /** Removes a folder with all that is in it; returns whether it is gone. */
    boolean remove(Path folder) throws IOException;
  }

  /** Returns what the file of a lock of this process says. */
  static byte[] here() {
    return new FactLines(TITLE)
        .with("host", ThisMachine.host())
        .with("boot", ThisMachine.boot())
        .with("processes", ThisMachine.processes())
        .with("process", ProcessHandle.current().pid())
        .bytes();
  }

  /** Makes a folder, and those that it lies in, and locks it, where the file system has locks. */
  static synchronized LockedFolder make(Path folder) throws IOException {
    Path place = folder.toAbsolutePath();
    Files.createDirectories(place);
    LockedFolder made =
        new LockedFolder(
            place,
            FileChannel.open(
                place.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    boolean done = false;
    try {
      if (isFree(made.file, Optional.empty())) {
        made.file.write(ByteBuffer.wrap(here()), 0); // until then, nobody takes the folder over
      }
      done = true;
    } finally {
      if (!done) {
        made.close();
      }
    }
    return made;
  }

  /**
   * Locks a file, if no other process has.
   *
   * @param owner what the file says, by which it is known where the file system has no locks
   */
  private static boolean isFree(FileChannel file, Optional<Map<String, String>> owner) {
    try {
      return file.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // a thread of this process is at it
    } catch (IOException e) {
      return owner.map(LockedFolder::hasEnded).orElse(true);
    }
  }

  /** Returns whether a process has ended; of those that this one cannot see, nobody knows. */
  static boolean hasEnded(Map<String, String> owner) {
    String process = owner.getOrDefault("process", "");
    return ThisMachine.processes().equals(owner.get("processes"))
        && process.matches("[0-9]{1,18}")
        && ProcessHandle.of(Long.parseLong(process)).filter(ProcessHandle::isAlive).isEmpty();
  }

  /** Returns whether other hosts may see what lies in a folder, though not its locks. */
  static boolean isShared(Path folder) {
    try {
      return !OF_ONE_HOST.contains(Files.getFileStore(folder).type());
    } catch (IOException e) {
      return true; // nobody knows
    }
  }

  /** Returns the folder, locked, if it is of this user and no process works in it any more. */
  static Optional<LockedFolder> takeOver(Path folder) {
    return takeOver(folder, isShared(folder));
  }

  /**
   * Returns the folder as {@link #takeOver(Path)} does.
   *
   * @param isShared whether another host may have locked it
   */
  static synchronized Optional<LockedFolder> takeOver(Path folder, boolean isShared) {
    Path place = folder.toAbsolutePath();
    if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      return !HELD.containsKey(place.toRealPath()) && Files.getOwner(place).equals(me())
          ? locked(place, isShared)
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // another has removed it
    }
  }

  private static Optional<LockedFolder> locked(Path place, boolean isShared) throws IOException {
    Path lock = place.resolve(LOCK);
    if (!Files.exists(lock, LinkOption.NOFOLLOW_LINKS)) {
      return isOld(place) ? Optional.of(make(place)) : Optional.empty();
    }
    Optional<Map<String, String>> owner = owner(lock);
    boolean other = isShared && owner.isPresent() && !isOfThisHost(owner.get());
    if (other || (owner.isEmpty() && !isOld(place))) {
      return Optional.empty();
    }
    FileChannel file = FileChannel.open(lock, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    if (isFree(file, owner)) {
      return Optional.of(new LockedFolder(place, file));
    }
    file.close();
    return Optional.empty();
  }

  /** Returns whether another host has locked a folder, or this one before it was started again. */
  static synchronized boolean isOfAnotherHost(Path folder) {
    try {
      return !HELD.containsKey(folder.toRealPath())
          && owner(folder.resolve(LOCK)).filter(owner -> !isOfThisHost(owner)).isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isOld(Path place) throws IOException {
    Instant changed = Files.getLastModifiedTime(place).toInstant();
    return changed.isBefore(Instant.now().minus(OLD));
  }

  /** Returns what the file of a lock says; nothing if it was not written to its end. */
  private static Optional<Map<String, String>> owner(Path lock) throws IOException {
    try (InputStream in = Files.newInputStream(lock, LinkOption.NOFOLLOW_LINKS)) {
      return FactLines.parse(TITLE, in.readNBytes(MOST_BYTES));
    }
  }

  private static boolean isOfThisHost(Map<String, String> owner) {
    return ThisMachine.host().equals(owner.get("host"))
        && ThisMachine.boot().equals(owner.get("boot"));
  }

  /** Returns the user of this process, as the owner of its files: containers have no other name. */
  private static UserPrincipal me() throws IOException {
    Path file = Files.createTempFile("stencil-", ".tmp");
    try {
      return Files.getOwner(file);
    } finally {
      Files.delete(file);
    }
  }

  /** Returns where it is. */
  Path folder() {
    return folder;
  }

  /**
   * Removes the folder, and gives the lock back. Some file systems of networks keep a file in its
   * folder, under another name, until those that have it open close it; the folder goes then.
   *
   * @return whether the folder is gone
   */
  boolean remove(Removal removal) throws IOException {
    boolean gone = removal.remove(folder);
    close();
    return gone || Files.notExists(folder, LinkOption.NOFOLLOW_LINKS) || removal.remove(folder);
  }

  /** Gives the lock back. */
  @Override
  public void close() throws IOException {
    HELD.remove(real, file);
    file.close();
  }
}
