/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.engine.Engines;
import io.sparkstencil.error.DeviceLostException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * What the faulty engines of this process are to do, and what of theirs is open. One per process,
 * since engines are found by the service loader; a process that a test starts gets its plan from
 * system properties:
 *
 * <pre>
 *   io.sparkstencil.faults=SUBMIT:DEVICE_LOST:2:1,...    faults, and the engine is there
 *   io.sparkstencil.faults=none                          the engine is there and works
 *   io.sparkstencil.faults.once=/tmp/file                only the process that creates the file fails
 *   io.sparkstencil.faults.only=/tmp/file                only the process that creates it has the engine
 * </pre>
 */
public final class FaultPlan {
  /** The system property that holds the faults. */
  public static final String PROPERTY = "io.sparkstencil.faults";

  /** The system property that names the file which limits faults to one process. */
  public static final String ONCE_PROPERTY = "io.sparkstencil.faults.once";

  /** The system property that names the file which limits the engine to one process. */
  public static final String ONLY_PROPERTY = "io.sparkstencil.faults.only";

  private static final FaultPlan OF_PROCESS = new FaultPlan();

  // What faulty engines have open, and the batches that they have completed.
  final AtomicInteger engines = new AtomicInteger();
  final AtomicInteger lanes = new AtomicInteger();
  final AtomicInteger leases = new AtomicInteger();
  final AtomicInteger batches = new AtomicInteger();

  // What they read of the plan.
  volatile List<String> devices = List.of("0");
  volatile String below = Engines.REFERENCE;
  volatile long batchMillis;
  volatile boolean enabled;

  private final Map<Fault.EngineCall, Integer> calls = new EnumMap<>(Fault.EngineCall.class);
  private List<Fault> faults = List.of();
  private int struck;
  private String lostBecause;

  private FaultPlan() {
    String text = System.getProperty(PROPERTY);
    if (text != null) {
      enabled = isFirstOf(ONLY_PROPERTY);
      faults =
          Stream.of(text.split(",", -1))
              .filter(part -> !part.strip().equals("none"))
              .map(Fault::parse)
              .toList();
    }
  }

  /** Returns the plan of this process. */
  public static FaultPlan ofProcess() {
    return OF_PROCESS;
  }

  /** Makes the engine available, with these faults, counting calls from here on. */
  public synchronized void enable(Fault... planned) {
    reset();
    faults = List.of(planned);
    enabled = true;
  }

  /** Makes the next call of one kind fail, besides what fails already. */
  public synchronized void arm(Fault.EngineCall call, Fault.Symptom kind) {
    Fault next = Fault.at(call, kind, calls(call) + 1);
    faults = Stream.concat(faults.stream(), Stream.of(next)).toList();
  }

  /** Returns how many calls have failed as planned, those of a lost device not counted. */
  public synchronized int struck() {
    return struck;
  }

  /** Makes the engine unavailable and forgets faults and calls. */
  public synchronized void reset() {
    faults = List.of();
    devices = List.of("0");
    below = Engines.REFERENCE;
    calls.clear();
    struck = 0;
    batches.set(0);
    batchMillis = 0;
    lostBecause = null;
    enabled = false;
  }

  /** Says which devices there are. */
  public synchronized void setDevices(List<String> addresses) {
    devices = List.copyOf(addresses);
  }

  /** Says which engine does the work where nothing fails; the reference unless said otherwise. */
  public synchronized void setBelow(String engine) {
    below = engine;
  }

  /** Makes every batch take this long. */
  public synchronized void setBatchMillis(long millis) {
    batchMillis = millis;
  }

  /** Returns how often a call has been made. */
  public synchronized int calls(Fault.EngineCall call) {
    return calls.getOrDefault(call, 0);
  }

  /** Counts a call and throws what is planned for it. */
  void called(Fault.EngineCall call) {
    Fault fault;
    int number;
    synchronized (this) {
      number = calls.merge(call, 1, Integer::sum);
      if (lostBecause != null && call != Fault.EngineCall.REASON) {
        throw new DeviceLostException(lostBecause);
      }
      fault =
          faults.stream()
              .filter(f -> f.call() == call && f.strikes(number))
              .findFirst()
              .orElse(null);
      if (fault == null || !isFirstOf(ONCE_PROPERTY)) {
        return;
      }
      struck++;
      if (fault.kind() == Fault.Symptom.DEVICE_LOST) {
        lostBecause = "lost before: " + fault;
      }
    }
    throw fault.exception(number);
  }

  /** Tells whether this process creates the file that a property names; true without one. */
  private static boolean isFirstOf(String property) {
    String file = System.getProperty(property);
    if (file == null) {
      return true;
    }
    try {
      Files.createFile(Path.of(file));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException e) {
      throw new IllegalStateException("cannot create " + file, e);
    }
  }

  /** Returns the number of open engines. */
  public int openEngines() {
    return engines.get();
  }

  /** Returns the number of open lanes. */
  public int openLanes() {
    return lanes.get();
  }

  /** Returns the number of buffers that are lent. */
  public int openLeases() {
    return leases.get();
  }

  /** Returns the number of batches that were completed. */
  public int batches() {
    return batches.get();
  }
}
