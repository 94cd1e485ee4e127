/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
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
  void blocksOfAnExecutorThatIsGoneGoTogetherToTheOneWithTheFewest() {
    BlockPlaces places = places(7, "a", "b", "c");
    places.moved(6, "b");

    places.see(List.of("b", "c"));

    assertThat(places.locations()).containsExactly("c", "c", "c", "b", "b", "c", "b");
  }

  @Test
  void executorsThatAreGoneAtOnceHaveHeirsOfTheirOwn() {
    BlockPlaces places = places(8, "a", "b", "c", "d");

    places.see(List.of("c", "d"));

    assertThat(places.locations()).containsExactly("c", "c", "d", "d", "c", "c", "d", "d");
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
    assertThat(places.spread(1000, 1)).isEmpty();
    places.see(List.of("a", "b", "c"));

    assertThat(places.spread(11, 1)).as("11 s of 3 blocks become 7.3 s of 2").isEmpty();
    assertThat(places.spread(12, 1)).isEqualTo(Map.of(2, "c", 5, "c"));

    assertThat(places.locations()).containsExactly("a", "a", "a", "b", "b", "b");
    assertThat(places.spread(1000, 1)).as("asked once").isEmpty();
  }

  @Test
  void blocksOfAnExecutorThatIsGoneAreSpreadOverTheOthersIfItPays() {
    BlockPlaces places = places(6, "a", "b", "c");
    places.see(List.of("b", "c"));
    assertThat(places.locations()).containsExactly("b", "b", "b", "b", "c", "c");

    assertThat(places.spread(1000, 1)).isEqualTo(Map.of(3, "c"));
  }

  @Test
  void blocksThatTasksHaveTakenElsewhereStayThere() {
    BlockPlaces places = places(4, "a", "b");
    places.see(List.of("a", "b", "c"));
    assertThat(places.spread(1000, 1)).as("two at most, with or without the third").isEmpty();

    places.moved(1, "b");

    assertThat(places.spread(1000, 1)).isEmpty();
  }

  @Test
  void anExecutorThatCameAndWentUnseenIsGone() {
    BlockPlaces places = places(2, "a", "b");
    places.moved(0, "c");

    places.see(List.of("a", "b"));

    assertThat(places.locations()).containsExactly("a", "b");
  }
}
