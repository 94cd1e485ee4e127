/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sparkstencil.machine.ThisMachine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LockedFolderTest {
  @TempDir private Path folder;

  @Test
  void saysWhetherTheProcessOfALockHasEndedWhereThereAreNoLocks() throws Exception {
    Process process = new ProcessBuilder("sleep", "60").start();
    String number = String.valueOf(process.pid());
    Map<String, String> owner = Map.of("process", number, "processes", ThisMachine.processes());

    assertThat(LockedFolder.hasEnded(owner)).isFalse();
    process.destroyForcibly().waitFor();
    assertThat(LockedFolder.hasEnded(owner)).isTrue();
    assertThat(LockedFolder.hasEnded(Map.of())).isFalse();
    assertThat(LockedFolder.hasEnded(Map.of("process", number, "processes", "of a container")))
        .as("ended, for those that cannot see it")
        .isFalse();
  }

  /** Closing a file that another thread has locked would end the lock of the whole process. */
  @Test
  void keepsItsLockThoughOtherThreadsAskForIt() throws Exception {
    Path locks = Path.of("/proc/locks");
    assumeThat(locks).as("what says which files are locked").exists();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int time = 0; time < 50; time++) {
        Path left = Files.createDirectory(folder.resolve("left-" + time));
        Path lock = Files.write(left.resolve(".lock"), LockedFolder.here());
        Object inode = Files.getAttribute(lock, "unix:ino");
        Callable<Optional<LockedFolder>> ask = () -> LockedFolder.takeOver(left);
        List<LockedFolder> held = new ArrayList<>();
        for (Future<Optional<LockedFolder>> each : threads.invokeAll(Collections.nCopies(4, ask))) {
          each.get().ifPresent(held::add);
        }

        assertThat(held).hasSize(1);
        assertThat(Files.readString(locks)).contains(":" + inode + " ");
        held.get(0).close();
      }
    } finally {
      threads.shutdown();
    }
  }
}
