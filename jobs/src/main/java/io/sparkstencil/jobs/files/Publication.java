/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnsupportedFileSystemException;

/**
 * Gives a file or folder the name that it is to have, which nothing else may have: the file system
 * itself decides who is first, where it can.
 */
final class Publication {
  private Publication() {}

  /**
   * Renames.
   *
   * @throws FileAlreadyExistsException if there is something at {@code place}, which stays
   */
  static void publish(FileSystem files, Path made, Path place) throws IOException {
    if (!Workshop.isLocal(place)) {
      publishRemote(files, made, place);
    } else if (Files.isDirectory(Workshop.local(made))) {
      publishFolder(Workshop.local(made), Workshop.local(place));
    } else {
      publishFile(Workshop.local(made), Workshop.local(place));
    }
  }

  /** A file gets its second name only if that is free; then it loses the first. */
  private static void publishFile(java.nio.file.Path made, java.nio.file.Path place)
      throws IOException {
    try {
      Files.createLink(place, made);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) { // no second names there
      Files.move(made, place); // which looks before it renames
      return;
    }
    Files.delete(made);
  }

  /** An empty folder takes the name, if that is free; what takes its place must find it empty. */
  private static void publishFolder(java.nio.file.Path made, java.nio.file.Path place)
      throws IOException {
    Files.createDirectory(place);
    try {
      Files.move(made, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      try {
        Files.deleteIfExists(place);
      } catch (DirectoryNotEmptyException filled) {
        throw new FileAlreadyExistsException(place.toString(), null, e.getMessage());
      }
      throw e;
    }
  }

  private static void publishRemote(FileSystem files, Path made, Path place) throws IOException {
    try {
      FileContext.getFileContext(files.getUri(), files.getConf()).rename(made, place);
    } catch (org.apache.hadoop.fs.FileAlreadyExistsException e) {
      throw new FileAlreadyExistsException(place.toString(), null, e.getMessage());
    } catch (UnsupportedFileSystemException e) { // known to FileSystem alone
      if (files.exists(place)) {
        throw new FileAlreadyExistsException(place.toString());
      }
      if (!files.rename(made, place)) {
        throw new IOException("cannot rename %s to %s".formatted(made, place));
      }
    }
  }
}
