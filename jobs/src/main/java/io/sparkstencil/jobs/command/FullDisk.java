/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What to say where a disk has no more space: which disks were written to, and what is free. */
public final class FullDisk {
  private static final Pattern FULL =
      Pattern.compile("No space left on device|Disk quota exceeded", Pattern.CASE_INSENSITIVE);

  private static final Pattern TOO_LARGE =
      Pattern.compile("File too large", Pattern.CASE_INSENSITIVE);

  private static final double BYTES_PER_MIB = 1 << 20;

  private FullDisk() {}

  /** Returns what {@code thrown} says of a disk that takes no more, if it does. */
  static Optional<String> saidBy(Throwable thrown) {
    String message = String.valueOf(thrown.getMessage());
    if (FULL.matcher(message).find()) {
      return Optional.of("a disk is full");
    }
    return TOO_LARGE.matcher(message).find()
        ? Optional.of("a file is larger than its file system, or ulimit -f, allows")
        : Optional.empty();
  }

  /**
   * Returns a failure that names the places that are written to, if {@code thrown} comes of a full
   * disk.
   *
   * @param temporary the folders of what is shuffled
   * @param outputs where results go
   */
  public static Optional<Failure> explain(
      Throwable thrown, List<String> temporary, List<String> outputs) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      Optional<String> said = saidBy(cause);
      if (said.isPresent()) {
        return Optional.of(
            new Failure(
                ExitCode.FAILED,
                "%s: results go to %s, and what is shuffled to %s; free some space, or choose other places, for what is shuffled with --conf spark.local.dir=FOLDER"
                    .formatted(said.get(), places(outputs), places(temporary))));
      }
    }
    return Optional.empty();
  }

  private static String places(List<String> names) {
    return names.stream().map(FullDisk::place).collect(Collectors.joining(", "));
  }

  private static String place(String name) {
    try {
      for (Path each = Path.of(name).toAbsolutePath(); each != null; each = each.getParent()) {
        if (Files.exists(each)) {
          double free = Files.getFileStore(each).getUsableSpace() / BYTES_PER_MIB;
          return "%s (%.0f MiB free)".formatted(name, free);
        }
      }
    } catch (IOException | InvalidPathException e) {
      return name; // on another machine, or gone
    }
    return name;
  }
}
