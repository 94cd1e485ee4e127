/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.spark.files.ExclusiveFile;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.StoredFile;
import java.util.Arrays;
import java.util.Optional;

/**
 * The right of one run to write checkpoints into a folder: a file that names it, which nobody
 * overwrites. A run that finds another's name there has lost the right.
 */
final class FolderLease implements AutoCloseable {
  /** The name of the file, which readers of Zarr take for hidden. */
  static final String FILE = ".owner";

  private static final int MOST_BYTES = 1 << 16;
  private static final int ATTEMPTS = 5;

  private final StoredFile folder;
  private final FolderOwner owner;

  private FolderLease(StoredFile folder, FolderOwner owner) {
    this.folder = folder;
    this.owner = owner;
  }

  /**
   * Takes a folder that nobody owns, or whose owner is known to have ended.
   *
   * @param takesOver whether it is taken from any other owner, too
   * @throws InvalidStencilException that says who owns it and since when
   */
  static FolderLease take(StoredFile folder, FolderOwner owner, boolean takesOver) {
    StoredFile file = folder.child(FILE);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      ExclusiveFile.write(file, owner.bytes());
      // whether it was written or not: some stores let two write at the same time
      Optional<byte[]> found = file.read(MOST_BYTES);
      Optional<FolderOwner> other = found.flatMap(FolderOwner::parse);
      if (other.map(each -> each.run().equals(owner.run())).orElse(false)) {
        return new FolderLease(folder, owner);
      }
      if (found.isPresent()) {
        if (!takesOver && !other.map(FolderOwner::hasEnded).orElse(false)) {
          throw new InvalidStencilException(
              "the folder of checkpoints %s belongs to %s, as %s says; wait until that run ends, choose another folder, or, if it has ended, take the folder over with --take-over, in Java takeOverCheckpoints()"
                  .formatted(folder, named(other), file));
        }
        remove(file, found.get());
      }
    }
    throw new InvalidStencilException(
        "several runs take the folder of checkpoints %s at the same time; give each a folder of its own"
            .formatted(folder));
  }

  /** Removes the name that was read there; a run that was faster keeps its own. */
  private static void remove(StoredFile file, byte[] read) {
    StoredFile moved = file.hidden("ended");
    try {
      file.renameTo(moved);
    } catch (FieldFileException e) {
      if (file.read(MOST_BYTES).map(now -> Arrays.equals(now, read)).orElse(false)) {
        throw e;
      }
      return;
    }
    if (!moved.read(MOST_BYTES).map(now -> Arrays.equals(now, read)).orElse(true)) {
      ExclusiveFile.rename(moved, file);
    }
    moved.delete();
  }

  private static String named(Optional<FolderOwner> owner) {
    return owner.map(FolderOwner::toString).orElse("a run that has not written its name");
  }

  /**
   * Checks that the folder still belongs to this run.
   *
   * @throws StencilException that says to whom it belongs
   */
  void require() {
    Optional<byte[]> found = folder.child(FILE).read(MOST_BYTES);
    Optional<FolderOwner> other = found.flatMap(FolderOwner::parse);
    if (!other.map(each -> each.run().equals(owner.run())).orElse(false)) {
      throw new StencilException(
          ErrorCode.BAD_DATA,
          "the folder of checkpoints %s was taken from this run, %s: %s; this run ends and writes none there any more; give each run a folder of its own"
              .formatted(
                  folder,
                  owner.run(),
                  found.isPresent()
                      ? "it belongs to " + named(other)
                      : "the file %s is gone".formatted(folder.child(FILE))));
    }
  }

  /** Leaves the folder to others, unless it has been taken. */
  @Override
  public void close() {
    StoredFile file = folder.child(FILE);
    Optional<FolderOwner> found = file.read(MOST_BYTES).flatMap(FolderOwner::parse);
    if (found.map(each -> each.run().equals(owner.run())).orElse(false)) {
      file.delete();
    }
  }
}
