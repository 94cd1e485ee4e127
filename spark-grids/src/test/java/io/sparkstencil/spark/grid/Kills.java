/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Kills two executors while a grid takes steps, at random moments: first one that has blocks, then
 * any, which may be the one that takes the place of the first.
 */
final class Kills implements GridListener {
  private static final int MOST_MILLIS = 40;

  private final Random random;
  private final ExecutorService killer = Executors.newSingleThreadExecutor();
  private final List<Integer> moments;
  private final List<ProcessHandle> killed = new CopyOnWriteArrayList<>();
  private List<ProcessHandle> first = List.of();
  private int supersteps;

  /**
   * Chooses the moments.
   *
   * @param from the first superstep in which an executor may be killed
   * @param to the last one
   */
  Kills(Random random, int from, int to) {
    this.random = random;
    moments = random.ints(2, from, to + 1).sorted().boxed().toList();
  }

  /** Sets the executors that the first is chosen from. */
  void among(List<ProcessHandle> processes) {
    first = processes;
  }

  @Override
  public void progressed(GridProgress progress) {
    supersteps++;
    for (int i = 0; i < moments.size(); i++) {
      if (supersteps == moments.get(i)) {
        boolean any = i > 0;
        int millis = random.nextInt(MOST_MILLIS);
        killer.execute(() -> kill(any, millis));
      }
    }
  }

  private void kill(boolean any, int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted before a kill", e);
    }
    List<ProcessHandle> victims = new ArrayList<>(any ? GridCluster.processes() : first);
    victims.removeAll(killed);
    ProcessHandle victim = victims.get(random.nextInt(victims.size()));
    victim.destroyForcibly(); // signal 9
    killed.add(victim);
  }

  /** Checks that both kills have been before the end of the steps. */
  void requireDone() {
    killer.shutdown();
    assertThat(killed).as("killed executors").hasSize(2);
  }
}
