/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.spark.files.ExclusiveFile;
import io.sparkstencil.spark.files.StoredFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * The right of one run to write checkpoints into a folder. A file names the run; the run that comes
 * after it has a file whose name says which file it follows, and so on: the last of this chain has
 * the folder. No file is ever overwritten or given another name, so that of several runs that
 * follow the same one a single one succeeds, and none loses the folder for a moment.
 */
final class FolderLease implements AutoCloseable {
  /** The name of the first file, which readers of Zarr take for hidden. */
  static final String FILE = ".owner";

  private static final String NEXT = FILE + ".after-";
  private static final int MOST_BYTES = 1 << 16;
  private static final int ATTEMPTS = 5;

  private final StoredFile folder;
  private final FolderOwner owner;
  private final StoredFile file;
  private final String run;
  private final Runnable leave = this::leave;

  private FolderLease(StoredFile folder, FolderOwner owner, StoredFile file) {
    this.folder = folder;
    this.owner = owner;
    this.file = file;
    run = owner.run();
    // before Hadoop closes its file systems, after Spark has ended the tasks
    ShutdownHookManager.get().addShutdownHook(leave, FileSystem.SHUTDOWN_HOOK_PRIORITY + 1);
  }

  /**
   * A file of the chain.
   *
   * @param next the name of the file that follows it, if there is one
   * @param owner the run that it names; nothing if it was not written to its end
   */
  private record Link(StoredFile file, String next, Optional<FolderOwner> owner) {
    boolean isOf(String run) {
      return owner.map(each -> each.run().equals(run)).orElse(false);
    }

    boolean hasEnded() {
      return owner.map(FolderOwner::hasEnded).orElse(false);
    }

    String name() {
      return owner.map(FolderOwner::toString).orElse("a run that has not written its name");
    }
  }

  private static List<Link> chain(StoredFile folder) {
    List<Link> chain = new ArrayList<>();
    Optional<Link> link = link(folder.child(FILE));
    while (link.isPresent()) {
      chain.add(link.get());
      link =
          link.get().owner().isPresent()
              ? link(folder.child(link.get().next()))
              : Optional.<Link>empty();
    }
    return chain;
  }

  private static Optional<Link> link(StoredFile file) {
    return file.read(MOST_BYTES)
        .map(
            bytes ->
                new Link(file, NEXT + UUID.nameUUIDFromBytes(bytes), FolderOwner.parse(bytes)));
  }

  private static Optional<Link> last(List<Link> chain) {
    return chain.isEmpty() ? Optional.empty() : Optional.of(chain.get(chain.size() - 1));
  }

  private static boolean endsWith(List<Link> chain, String run) {
    return last(chain).map(each -> each.isOf(run)).orElse(false);
  }

  /**
   * Takes a folder that nobody owns, or whose owner is known to have ended.
   *
   * @param takesOver whether it is taken from any other owner, too
   * @throws InvalidStencilException that says who owns it and since when
   */
  static FolderLease take(StoredFile folder, FolderOwner owner, boolean takesOver) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      Optional<Link> other = last(chain(folder));
      if (other.isPresent() && !takesOver && !other.get().hasEnded()) {
        throw new InvalidStencilException(
            "the folder of checkpoints %s belongs to %s, as %s says; wait until that run ends, choose another folder, or, if it has ended, take the folder over with --take-over, in Java takeOverCheckpoints()"
                .formatted(folder, other.get().name(), other.get().file()));
      }
      if (other.isPresent() && other.get().owner().isEmpty()) {
        other.get().file().delete(); // nothing can follow a file whose bytes may still change
        continue;
      }
      StoredFile file = folder.child(other.map(Link::next).orElse(FILE));
      ExclusiveFile.write(file, owner.bytes());
      // whether it was written or not: some stores let two write at the same time
      List<Link> chain = chain(folder);
      if (endsWith(chain, owner.run())) {
        return new FolderLease(folder, owner, file);
      }
      if (chain.stream().noneMatch(each -> each.isOf(owner.run()))) {
        removeIfOf(owner.run(), file); // what it follows was given back meanwhile
      }
    }
    throw new InvalidStencilException(
        "several runs take the folder of checkpoints %s at the same time; give each a folder of its own"
            .formatted(folder));
  }

  private static void removeIfOf(String run, StoredFile file) {
    if (link(file).map(each -> each.isOf(run)).orElse(false)) {
      file.delete();
    }
  }

  /**
   * Returns whether a path leads to this folder, however it is spelled: whether this run owns the
   * folder there, too.
   */
  boolean isOf(StoredFile other) {
    return endsWith(chain(other), run);
  }

  /**
   * Checks that the folder still belongs to this run.
   *
   * @throws StencilException that says to whom it belongs
   */
  void require() {
    List<Link> chain = chain(folder);
    if (chain.isEmpty() && file.exists()) {
      chain = succeed();
    }
    if (!endsWith(chain, run)) {
      throw new StencilException(
          ErrorCode.BAD_DATA,
          "the folder of checkpoints %s was taken from this run, %s: %s; this run ends and writes none there any more; give each run a folder of its own"
              .formatted(
                  folder,
                  run,
                  last(chain)
                      .map(each -> "it belongs to " + each.name())
                      .orElse("the file %s is gone".formatted(folder.child(FILE)))));
    }
  }

  /**
   * Begins the chain anew, if no other run has. The run from which this one took the folder left it
   * in that moment and removed the files that this one's follows.
   *
   * @return the chain, whoever began it
   */
  private List<Link> succeed() {
    ExclusiveFile.write(folder.child(FILE), owner.bytes());
    List<Link> chain = chain(folder);
    if (endsWith(chain, run)) {
      file.delete(); // the first file of the chain names this run now
    }
    return chain;
  }

  /** Leaves the folder to others, unless it has been taken. */
  @Override
  public void close() {
    if (!ShutdownHookManager.get().isShutdownInProgress()) {
      ShutdownHookManager.get().removeShutdownHook(leave);
    }
    leave();
  }

  private void leave() {
    List<Link> chain = chain(folder);
    if (endsWith(chain, run)) {
      // the first one first: without it the others are no chain
      chain.forEach(each -> each.file().delete());
    } else if (chain.stream().noneMatch(each -> each.isOf(run))) {
      removeIfOf(run, file); // nothing follows it
    }
  }
}
