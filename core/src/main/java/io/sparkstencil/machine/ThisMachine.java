/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.machine;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** By what this machine is told from others that may see the same files or tickets. */
public final class ThisMachine {
  private ThisMachine() {}

  /** Returns the name of the host; in a container, that of the container. */
  public static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      return "a host without a name";
    }
  }

  /**
   * Returns what tells the machine, since it was started, from all others: from those that have
   * other locks; empty if the system does not say.
   */
  public static String boot() {
    // no channel, which the interrupt of a thread would close
    try (InputStream id = new FileInputStream("/proc/sys/kernel/random/boot_id")) {
      return new String(id.readAllBytes(), StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Returns what tells processes that see each other from those that do not, on whatever machine;
   * empty if the system does not say.
   */
  public static String processes() {
    try {
      String boot = boot();
      return boot.isEmpty()
          ? ""
          : boot + " " + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
    } catch (IOException | UnsupportedOperationException e) {
      return "";
    }
  }
}
