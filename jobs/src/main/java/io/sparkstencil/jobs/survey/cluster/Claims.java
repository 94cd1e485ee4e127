/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Has each device of a host surveyed by one task, also where several executors see it: the first to
 * create a file of that name has it.
 *
 * @param folder a folder that the executors of a host share
 * @param run what tells this run from others
 */
record Claims(Path folder, String run) {
  /** Returns the claims of a run in the folder for temporary files. */
  static Claims of(String run) {
    return new Claims(Path.of(System.getProperty("java.io.tmpdir")), run);
  }

  /** Returns whether the caller is the first to ask for this. */
  boolean take(String what) {
    String name = "stencil-survey-%s-%s".formatted(run, what).replaceAll("[^A-Za-z0-9.-]", "_");
    try {
      // Until the executor ends: tasks that start later must not begin again.
      Files.createFile(folder.resolve(name)).toFile().deleteOnExit();
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + folder, e);
    }
  }
}
