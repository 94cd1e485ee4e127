/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What goes wrong with faces that processes share in a folder. A file there says it, so that
 * processes that live longer than a test, or start in it, do as the test says.
 *
 * @param faulty whether some faces are late, lost or overwritten
 * @param keptBytes of faces that a process keeps at most
 */
public record FaceFaults(boolean faulty, long keptBytes) {
  /** Nothing goes wrong, and as many are kept as come. */
  public static final FaceFaults NONE = new FaceFaults(false, Long.MAX_VALUE);

  private static final String NAME = "faults";
  private static final int ODDS = 4;

  /** Has this go wrong with faces of blocks that are made from now on. */
  public void in(Path folder) throws IOException {
    Path whole = Files.writeString(folder.resolve(NAME + ".new"), faulty + " " + keptBytes);
    Files.move(whole, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE); // others may read it
  }

  /** Returns what goes wrong in a folder. */
  static FaceFaults of(Path folder) {
    Path said = folder.resolve(NAME);
    if (Files.notExists(said)) {
      return NONE;
    }
    try {
      String[] words = Files.readString(said).split(" ");
      return new FaceFaults(Boolean.parseBoolean(words[0]), Long.parseLong(words[1]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Tells whether a fault happens this time: one of four times where faces are faulty. */
  boolean happens() {
    return faulty && ThreadLocalRandom.current().nextInt(ODDS) == 0;
  }
}
