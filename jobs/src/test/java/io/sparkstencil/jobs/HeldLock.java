/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A process that holds the lock of a file until it is closed. */
public final class HeldLock implements AutoCloseable {
  private final Process process;

  /** Starts the process, and waits until it holds the lock. */
  public HeldLock(Path file) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                HeldLock.class.getName(),
                file.toString())
            .start();
    if (!"true".equals(process.inputReader().readLine())) {
      throw new IOException(process.errorReader().readLine());
    }
  }

  /** Returns whether the process lives. */
  public boolean isHeld() {
    return process.isAlive();
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }

  /** Holds the lock of the file that the first argument names until the input ends. */
  public static void main(String[] arguments) throws IOException {
    try (FileChannel file =
            FileChannel.open(
                Path.of(arguments[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      System.out.println(lock.isValid());
      System.in.transferTo(OutputStream.nullOutputStream());
    }
  }
}
