/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class BlockPlacesTest {
  private static BlockPlaces places(int blocks, String... executors) {
    return new BlockPlaces(blocks, List.of(executors));
  }

  @Test
  void neighboursAreTogether() {
    assertThat(places(5, "a", "b").locations()).containsExactly("a", "a", "a", "b", "b");
    assertThat(places(2, "a", "b", "c").locations()).containsExactly("a", "b");
  }

  @Test
  void blocksOfAnExecutorThatIsGoneGoToThoseWithTheFewest() {
    BlockPlaces places = places(7, "a", "b", "c");

    places.see(List.of("b", "c"));

    assertThat(places.locations()).containsExactly("b", "c", "b", "b", "b", "c", "c");
  }

  @Test
  void othersStayWhenExecutorsCome() {
    BlockPlaces places = places(4, "a", "b");

    places.see(List.of("a", "b", "c"));

    assertThat(places.locations()).containsExactly("a", "a", "b", "b");
  }

  @Test
  void blocksMoveToExecutorsThatHaveComeIfItPays() {
    BlockPlaces places = places(6, "a", "b");
    places.spread(0, 1000);
    assertThat(places.locations()).containsExactly("a", "a", "a", "b", "b", "b");
    places.see(List.of("a", "b", "c"));

    places.spread(500, 1000); // two blocks replay 500 supersteps, 1000 take 2 turns instead of 3
    assertThat(places.locations()).containsExactly("a", "a", "a", "b", "b", "b");

    places.spread(499, 1000);
    assertThat(places.locations()).containsExactly("a", "a", "c", "b", "b", "c");
  }

  @Test
  void blocksThatTasksHaveTakenElsewhereStayThere() {
    BlockPlaces places = places(4, "a", "b");
    places.see(List.of("a", "b", "c"));
    places.spread(1, 1000);
    assertThat(places.locations()).containsExactly("a", "a", "b", "b");

    places.moved(1, "b");
    places.spread(1, 1000);

    assertThat(places.locations()).containsExactly("a", "b", "b", "b");
  }

  @Test
  void anExecutorThatCameAndWentUnseenIsGone() {
    BlockPlaces places = places(2, "a", "b");
    places.moved(0, "c");

    places.see(List.of("a", "b"));

    assertThat(places.locations()).containsExactly("a", "b");
  }
}
