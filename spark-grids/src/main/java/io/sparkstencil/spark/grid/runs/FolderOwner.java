/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import io.sparkstencil.machine.ThisMachine;
import io.sparkstencil.spark.files.FactLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/**
 * The run that a folder of checkpoints belongs to. Clocks decide nothing: the time is for people.
 *
 * @param run the number of the run
 * @param application Spark's name for the application
 * @param user who runs it
 * @param host where its driver runs
 * @param machine what tells the machine, since it was started, from all others, and processes that
 *     see each other from those that do not; empty if the system does not say
 * @param process the number of the driver's process
 * @param begun when the process was begun, in ticks since the machine was; empty if the system does
 *     not say
 * @param since when the run took the folder
 */
record FolderOwner(
    String run,
    String application,
    String user,
    String host,
    String machine,
    String process,
    String begun,
    String since) {
  private static final String TITLE = "Spark Stencil: the run that owns this folder, version 1";

  /** Returns this process as the owner. */
  static FolderOwner here(String run, String application) {
    long process = ProcessHandle.current().pid();
    return new FolderOwner(
        run,
        application,
        thisUser(),
        ThisMachine.host(),
        ThisMachine.processes(),
        String.valueOf(process),
        ticks(process),
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
  }

  private static String thisUser() {
    return System.getProperty("user.name", "nobody");
  }

  /** What stands for the ticks of a process that cannot be looked at: another user's, perhaps. */
  private static final String UNSEEN = "unseen";

  /**
   * Returns the ticks, which no change of the clock moves, or nothing for a process that has ended,
   * though nobody has heard of it. The name before them may have spaces.
   */
  private static String ticks(long process) {
    try {
      String line = Files.readString(Path.of("/proc/%d/stat".formatted(process)));
      String[] facts = line.substring(line.lastIndexOf(')') + 2).split(" ");
      return facts[0].matches("[ZX]") ? "" : facts[19];
    } catch (NoSuchFileException e) {
      return "";
    } catch (IOException | IndexOutOfBoundsException e) {
      return UNSEEN;
    }
  }

  /**
   * Returns whether the process is known to have ended: on this machine, of this user, whose
   * processes are all seen. Those of others may be hidden.
   */
  boolean hasEnded() {
    if (machine.isEmpty()
        || !machine.equals(ThisMachine.processes())
        || !host.equals(ThisMachine.host())
        || !user.equals(thisUser())
        || begun.isEmpty()
        || !process.matches("[0-9]{1,18}")) {
      return false;
    }
    String now = ticks(Long.parseLong(process));
    return !now.equals(UNSEEN) && !now.equals(begun);
  }

  boolean isThisProcess() {
    return machine.equals(ThisMachine.processes())
        && process.equals(String.valueOf(ProcessHandle.current().pid()))
        && host.equals(ThisMachine.host());
  }

  byte[] bytes() {
    return new FactLines(TITLE)
        .with("run", run)
        .with("application", application)
        .with("user", user)
        .with("host", host)
        .with("machine", machine)
        .with("process", process)
        .with("begun", begun)
        .with("since", since)
        .bytes();
  }

  /** Returns the owner that a file names; nothing if it was not written to its end. */
  static Optional<FolderOwner> parse(byte[] bytes) {
    return FactLines.parse(TITLE, bytes).map(FolderOwner::of);
  }

  private static FolderOwner of(Map<String, String> facts) {
    return new FolderOwner(
        facts.getOrDefault("run", ""),
        facts.getOrDefault("application", ""),
        facts.getOrDefault("user", ""),
        facts.getOrDefault("host", ""),
        facts.getOrDefault("machine", ""),
        facts.getOrDefault("process", ""),
        facts.getOrDefault("begun", ""),
        facts.getOrDefault("since", ""));
  }

  @Override
  public String toString() {
    return "run %s of %s on %s (process %s%s, application %s) since %s"
        .formatted(
            run, user, host, process, isThisProcess() ? ", this one" : "", application, since);
  }
}
