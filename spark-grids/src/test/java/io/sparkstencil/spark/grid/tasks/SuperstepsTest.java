/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Stretches of supersteps say what a list of them says. */
final class SuperstepsTest {
  @Test
  void saysWhatAListOfAllSays() {
    Random random = new Random(5);
    Supersteps supersteps = Supersteps.none(0, 100);
    List<Integer> list = new ArrayList<>();
    int first = 0;
    long firstStep = 100;
    for (int i = 0; i < 500; i++) {
      if (random.nextInt(10) == 0) {
        int gone = random.nextInt(list.size() + 1);
        supersteps = supersteps.after(first + gone);
        first += gone;
        firstStep += list.subList(0, gone).stream().mapToInt(each -> each).sum();
        list = new ArrayList<>(list.subList(gone, list.size()));
      }
      int count = 1 + random.nextInt(3);
      supersteps = supersteps.plus(count);
      list.add(count);

      assertThat(supersteps.first()).isEqualTo(first);
      assertThat(supersteps.last()).isEqualTo(first + list.size());
      long step = firstStep;
      for (int at = 0; at < list.size(); at++) {
        assertThat(supersteps.stepsUpTo(first + at)).isEqualTo(step);
        assertThat(supersteps.stepsFrom(first + at)).isEqualTo(list.get(at));
        step += list.get(at);
      }
      assertThat(supersteps.stepsUpTo(supersteps.last())).isEqualTo(step);
    }
  }

  @Test
  void equalOnesTakeNoRoom() {
    Supersteps supersteps = Supersteps.none(3, 0);
    for (int i = 0; i < 1000; i++) {
      supersteps = supersteps.plus(8);
    }
    assertThat(supersteps.ends()).containsExactly(1003);
    assertThat(supersteps.steps()).containsExactly(8);
  }
}
