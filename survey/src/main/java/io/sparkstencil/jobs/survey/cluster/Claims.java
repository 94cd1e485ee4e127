/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileUtil;

/**
 * Has each device of a host surveyed by one task, also where several executors see it: the first to
 * create a file of that name has it. The files lie in a folder that no other user may write to.
 *
 * @param folder a folder that the executors of a host share
 * @param run what tells this run from others
 */
record Claims(Path folder, String run) {
  private static final System.Logger LOG = System.getLogger(Claims.class.getName());
  private static final String PREFIX = "stencil-survey-";

  /** The names that runs make; others with this prefix are somebody's own. */
  private static final Pattern MADE =
      Pattern.compile(PREFIX + "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-.*)?");

  private static final Duration OLD = Duration.ofDays(1);

  /** Returns the claims of a run in the folder for temporary files. */
  static Claims of(String run) {
    return new Claims(Path.of(System.getProperty("java.io.tmpdir")), run);
  }

  /** Returns whether the caller is the first to ask for this. */
  boolean take(String what) {
    Path ours = folder.resolve(PREFIX + plain(run));
    Path claim = ours.resolve(plain(what));
    try {
      make(ours);
      Files.createFile(claim);
      requireOurs(ours, claim);
      removeOlder(Files.getOwner(claim));
      // Until the executor ends: tasks that start later must not begin again.
      claim.toFile().deleteOnExit();
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + ours + ": " + e.getMessage(), e);
    }
  }

  private static String plain(String name) {
    return name.replaceAll("[^A-Za-z0-9.-]", "_");
  }

  private static void make(Path ours) throws IOException {
    try {
      Files.createDirectory(
          ours, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (FileAlreadyExistsException e) { // by another executor, or by someone else
      if (!Files.isDirectory(ours, LinkOption.NOFOLLOW_LINKS)) {
        throw notOurs("no folder", ours);
      }
    }
    ours.toFile().deleteOnExit(); // once it is empty, and so by the last executor
  }

  /** In a folder of theirs, other users could take claims and free them. */
  private static void requireOurs(Path ours, Path claim) throws IOException {
    if (!Files.getOwner(ours, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(claim))) {
      Files.delete(claim);
      throw notOurs("another user's folder", ours);
    }
  }

  private static IOException notOurs(String what, Path ours) throws IOException {
    return new IOException(
        "it is %s, of %s; remove it, or set -Djava.io.tmpdir to a folder of your own"
            .formatted(what, Files.getOwner(ours, LinkOption.NOFOLLOW_LINKS).getName()));
  }

  /** Removes what executors that were killed have left. */
  private void removeOlder(UserPrincipal me) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, PREFIX + "*")) {
      for (Path each : all) {
        Instant changed = Files.getLastModifiedTime(each, LinkOption.NOFOLLOW_LINKS).toInstant();
        if (MADE.matcher(each.getFileName().toString()).matches()
            && changed.isBefore(Instant.now().minus(OLD))
            && Files.getOwner(each, LinkOption.NOFOLLOW_LINKS).equals(me)
            && FileUtil.fullyDelete(each.toFile())) {
          LOG.log(System.Logger.Level.INFO, "removed {0}, which a survey has left", each);
        }
      }
    } catch (IOException e) { // another executor is at it
      LOG.log(System.Logger.Level.DEBUG, "cannot look for what was left in " + folder, e);
    }
  }
}
