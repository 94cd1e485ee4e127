/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;

/**
 * Two hidden names beside a place: a folder, {@code .NAME.new-ID}, in which what is to be there is
 * made, and {@code .NAME.old-ID}, under which what was there waits while it is replaced. A process
 * that is killed leaves them; the next one for the same place puts that right.
 */
final class Workshop implements AutoCloseable {
  private static final String NAME =
      "\\.%s\\.(new|old)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";
  private static final String NEW = "new";
  private static final String OLD = "old";
  private static final long DAY_MILLIS = 86_400_000;

  private final FileSystem files;
  private final Path place;
  private final String id = UUID.randomUUID().toString();
  private LockedFolder lock;

  Workshop(FileSystem files, Path place) {
    this.files = files;
    this.place = place;
  }

  /** Makes the folder. */
  void open() throws IOException {
    if (!files.mkdirs(folder())) {
      throw new IOException("no folder can be created there");
    }
    files.deleteOnExit(folder()); // also when the process is interrupted
    if (isLocal(place) && lock == null) {
      lock = LockedFolder.make(local(folder()));
    }
  }

  private Path folder() {
    return beside(NEW, id);
  }

  /** Returns where what is to be at the place is made. */
  Path made() {
    return new Path(folder(), place.getName());
  }

  /** Returns where what was at the place waits. */
  Path replaced() {
    return beside(OLD, id);
  }

  private Path beside(String kind, String of) {
    return new Path(place.getParent(), ".%s.%s-%s".formatted(place.getName(), kind, of));
  }

  @Override
  public void close() throws IOException {
    if (lock == null) {
      files.delete(folder(), true);
    } else {
      lock.remove(this::delete);
    }
    files.cancelDeleteOnExit(folder());
  }

  static boolean isLocal(Path place) {
    return "file".equals(place.toUri().getScheme());
  }

  static java.nio.file.Path local(Path path) {
    return java.nio.file.Path.of(path.toUri().getPath());
  }

  /**
   * Puts right what processes that were killed have left beside the place: what was at the place is
   * there again if nothing else is, and the rest is removed. Of what other machines may be at, of
   * which no one knows which processes live, it only says that it is there.
   */
  void putRight(Consumer<String> notes) throws IOException {
    putRight(notes, isLocal(place) && LockedFolder.isShared(local(place.getParent())));
  }

  /**
   * Puts right what was left, as {@link #putRight(Consumer)} does.
   *
   * @param isShared whether other hosts may be at it on this file system
   */
  void putRight(Consumer<String> notes, boolean isShared) throws IOException {
    Pattern ours = Pattern.compile(NAME.formatted(Pattern.quote(place.getName())));
    for (FileStatus each : siblings()) {
      Matcher name = ours.matcher(each.getPath().getName());
      if (!name.matches() || !files.exists(each.getPath())) {
        continue; // another's, or gone with the one before
      }
      if (!isLocal(place)) {
        sayOfOthers(each, notes);
      } else if (name.group(1).equals(NEW)) {
        putRight(each, beside(OLD, name.group(2)), notes, isShared);
      } else if (!files.exists(beside(NEW, name.group(2)))) {
        putBack(each.getPath(), notes);
      }
    }
  }

  private void putRight(FileStatus made, Path replaced, Consumer<String> notes, boolean isShared)
      throws IOException {
    Optional<LockedFolder> left = LockedFolder.takeOver(local(made.getPath()), isShared);
    if (left.isEmpty()) {
      if (isShared && LockedFolder.isOfAnotherHost(local(made.getPath()))) {
        sayOfOthers(made, notes);
      }
      return;
    }
    try (LockedFolder held = left.get()) {
      putBack(replaced, notes);
      if (held.remove(this::delete)) {
        notes.accept("removed %s, which a run that was killed has left".formatted(held.folder()));
      }
    }
  }

  private boolean delete(java.nio.file.Path folder) throws IOException {
    return files.delete(new Path(folder.toUri()), true);
  }

  private void putBack(Path replaced, Consumer<String> notes) throws IOException {
    if (!files.exists(replaced)) {
      return;
    }
    removeIfEmpty();
    if (files.exists(place)) { // by what took its place
      files.delete(replaced, true);
    } else if (files.rename(replaced, place)) {
      notes.accept(
          "%s is again what it was before a run that was killed while it replaced it"
              .formatted(local(place)));
    }
  }

  /** A folder takes its place as an empty one first; a run that was killed then has left that. */
  private void removeIfEmpty() throws IOException {
    java.nio.file.Path taken = local(place);
    if (Files.isDirectory(taken, LinkOption.NOFOLLOW_LINKS)) {
      try {
        Files.delete(taken);
      } catch (DirectoryNotEmptyException e) {
        return; // what took the place is there
      }
    }
  }

  private static void sayOfOthers(FileStatus left, Consumer<String> notes) {
    if (System.currentTimeMillis() - left.getModificationTime() > DAY_MILLIS) {
      notes.accept(
          "%s is of a run that was killed, or that has lasted for a day; remove it if none does"
              .formatted(left.getPath()));
    }
  }

  private FileStatus[] siblings() throws IOException {
    try {
      String begin = "." + place.getName() + ".";
      return files.listStatus(place.getParent(), path -> path.getName().startsWith(begin));
    } catch (FileNotFoundException | ParentNotDirectoryException e) {
      return new FileStatus[0];
    }
  }
}
