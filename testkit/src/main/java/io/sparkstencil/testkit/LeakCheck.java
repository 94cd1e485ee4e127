/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test that leaves something open: what is watched must have come down to 0 a few seconds
 * after the test at the latest.
 *
 * <pre>
 *   &#64;RegisterExtension
 *   final LeakCheck leaks = new LeakCheck().watch("lanes", plan::openLanes).watchThreads("stencil-");
 * </pre>
 */
public final class LeakCheck implements AfterEachCallback {
  private static final long PATIENCE_MILLIS = 5000;

  private final Map<String, IntSupplier> watched = new LinkedHashMap<>();

  /** Watches a count of open things. */
  public LeakCheck watch(String what, IntSupplier open) {
    watched.put(what, open);
    return this;
  }

  /** Watches the threads whose names start with {@code prefix}. */
  public LeakCheck watchThreads(String prefix) {
    return watch("threads " + prefix + "*", () -> threads(prefix).size());
  }

  /** Watches lanes, leases and, if {@code engines}, also engines of a plan's faulty engines. */
  public LeakCheck watch(FaultPlan plan, boolean engines) {
    watch("lanes", plan::openLanes).watch("leases", plan::openLeases);
    return engines ? watch("engines", plan::openEngines) : this;
  }

  private static List<String> threads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith(prefix))
        .toList();
  }

  /** Waits for everything to come down to 0 and throws if it does not. */
  public void verify() {
    long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
    List<String> open = open();
    while (!open.isEmpty() && System.nanoTime() < deadline) {
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
      open = open();
    }
    if (!open.isEmpty()) {
      throw new AssertionError("left open: " + String.join(", ", open));
    }
  }

  private List<String> open() {
    List<String> open = new ArrayList<>();
    watched.forEach(
        (what, count) -> {
          int left = count.getAsInt();
          if (left != 0) {
            open.add(left + " " + what);
          }
        });
    return open;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    verify();
  }
}
