/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import io.sparkstencil.error.Cancellation;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** What Java says of the files of this machine, where Hadoop says too little. */
public final class LocalDisk {
  private LocalDisk() {}

  /**
   * Checks that there is no file of a name. Hadoop also says so of files behind folders that may
   * not be entered, and of links that lead nowhere or in a circle.
   *
   * @throws IOException if something is there, or nobody can tell
   */
  static void requireMissing(Path place) throws IOException {
    for (Path each = place; each != null; each = each.getParent()) {
      BasicFileAttributes found;
      try {
        found = Files.readAttributes(each, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      } catch (NoSuchFileException e) {
        continue;
      }
      if (found.isSymbolicLink()) {
        try {
          found = Files.readAttributes(each, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
          throw new IOException(
              "%s is a link to %s, which is missing".formatted(each, Files.readSymbolicLink(each)),
              e);
        }
      }
      if (each.equals(place) || !found.isDirectory()) {
        throw new IOException("%s is there, but cannot be reached".formatted(each));
      }
      return;
    }
  }

  /** Checks that reading ends: that a file is neither a pipe nor a device. */
  static void requireRegular(Path place) throws IOException {
    if (!Files.isRegularFile(place)) {
      throw new IOException("it is neither a file nor a folder, but a pipe or a device");
    }
  }

  /** Returns what lies in a folder, also links that lead nowhere. */
  static List<Path> list(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      files.forEach(found::add);
    }
    return found;
  }

  /** Writes a file and forces it to disk; what was written is removed if that fails. */
  static void write(Path file, byte[] bytes) throws IOException {
    try {
      Files.write(file, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      forceFile(file);
    } catch (IOException e) {
      Files.deleteIfExists(file); // no disk is too full for that
      throw e;
    }
  }

  /** Gives a file another name unless there is a file of that; returns whether it has it. */
  static boolean rename(Path file, Path target) throws IOException {
    try {
      Files.createLink(target, file); // what renames without replacing, as one step
      Files.delete(file);
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (FileSystemException | UnsupportedOperationException e) {
      // a disk without links
      if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
      Files.move(file, target);
    }
    forceFolder(target.toAbsolutePath().getParent());
    return true;
  }

  /**
   * Returns a folder and those that it lies in, as far as they are missing, the outer ones first.
   */
  static List<Path> missingFolders(Path folder) {
    List<Path> missing = new ArrayList<>();
    for (Path each = folder; each != null && Files.notExists(each); each = each.getParent()) {
      missing.add(0, each);
    }
    return missing;
  }

  /** Forces what lies at a path to disk, which the interrupt of a thread ends. */
  static void force(Path place, OpenOption how) throws IOException {
    try {
      Cancellation.await(
          () -> {
            try (FileChannel channel = FileChannel.open(place, how)) {
              channel.force(true);
            }
            return null;
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException();
    }
  }

  /** Forces the bytes of a file to disk. */
  public static void forceFile(Path file) throws IOException {
    force(file, StandardOpenOption.WRITE);
  }

  /**
   * Forces the names in a folder to disk, where the file system can do that; see {@link
   * ForcedFolders}.
   */
  public static void forceFolder(Path folder) throws IOException {
    ForcedFolders.OF_THIS_MACHINE.force(folder);
  }
}
