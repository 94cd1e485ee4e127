/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** All files in a folder and in the folders in it. */
public final class FolderFiles {
  private FolderFiles() {}

  /**
   * Returns the lengths of the files by their paths from the folder, with slashes; none if the
   * folder is missing.
   *
   * @throws FieldFileException if something cannot be reached
   */
  public static Map<String, Long> lengths(StoredFile folder) {
    Map<String, Long> lengths = new HashMap<>();
    visit(
        folder,
        (name, length) -> {
          lengths.put(name, length);
          return true;
        });
    return lengths;
  }

  /** Looks at a file. */
  @FunctionalInterface
  public interface Visitor {
    /** Returns whether others are to follow. */
    boolean visit(String name, long length);
  }

  /**
   * Visits files one by one, as they are listed; names as of {@link #lengths}.
   *
   * @return whether all were visited
   * @throws FieldFileException if something cannot be reached
   */
  public static boolean visit(StoredFile folder, Visitor visitor) {
    if (folder.disk().isPresent()) {
      return visit(folder, "", visitor);
    }
    try {
      String here = folder.path.toUri().getPath() + Path.SEPARATOR;
      RemoteIterator<LocatedFileStatus> all = folder.files.listFiles(folder.path, true);
      while (all.hasNext()) {
        FileStatus each = all.next();
        String name = each.getPath().toUri().getPath();
        if (name.startsWith(here) && !visitor.visit(name.substring(here.length()), each.getLen())) {
          return false;
        }
      }
      return true;
    } catch (FileNotFoundException e) {
      return true;
    } catch (IOException e) {
      throw FieldFileException.failed("listing", folder, e);
    }
  }

  private static boolean visit(StoredFile folder, String prefix, Visitor visitor) {
    for (StoredFile each : folder.list()) {
      Optional<FileStatus> found = each.status();
      if (found.isEmpty() && each.name().startsWith(".")) {
        continue; // what another task was about to rename
      }
      FileStatus status =
          found.orElseThrow(
              () ->
                  FieldFileException.failed(
                      "listing", each, new FileNotFoundException("it was removed meanwhile")));
      boolean goesOn =
          status.isDirectory()
              ? visit(each, prefix + each.name() + Path.SEPARATOR, visitor)
              : visitor.visit(prefix + each.name(), status.getLen());
      if (!goesOn) {
        return false;
      }
    }
    return true;
  }
}
