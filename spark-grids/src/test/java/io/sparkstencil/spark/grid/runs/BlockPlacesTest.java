/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.GridBlocks;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BlockPlacesTest {
  private static BlockPlaces places(int blocks, String... executors) {
    return new BlockPlaces(new GridBlocks(List.of(10L * blocks), List.of(10)), List.of(executors));
  }

  /** Blocks of cubes, so many along each axis. */
  private static GridBlocks cubes(int... parts) {
    return new GridBlocks(
        IntStream.of(parts).mapToObj(count -> 8L * count).toList(),
        IntStream.of(parts).mapToObj(count -> 8).toList());
  }

  private static List<String> executors(int count) {
    return IntStream.range(0, count).mapToObj(i -> "e" + i).toList();
  }

  @Test
  void neighboursAreTogether() {
    assertThat(places(5, "a", "b").locations()).containsExactly("a", "a", "a", "b", "b");
    assertThat(places(2, "a", "b", "c").locations()).containsExactly("a", "b");
  }

  /** Pairs of neighbours that are on different executors. */
  @ParameterizedTest
  @CsvSource({
    "8x8, 4, 16", // in rows 24
    "8x8, 2, 8",
    "4x4x4, 8, 48", // in slabs 112
    "4x4x4, 4, 32", // in slabs 48
    "4x4x4, 2, 16",
    "16, 4, 3",
    "2x16, 4, 6"
  })
  void fewFacesLeaveAnExecutor(String parts, int executors, int faces) {
    GridBlocks blocks = cubes(Stream.of(parts.split("x")).mapToInt(Integer::parseInt).toArray());
    List<String> at = new BlockPlaces(blocks, executors(executors)).locations();
    int cut = 0;
    for (int block = 0; block < blocks.count(); block++) {
      for (int other = 0; other < block; other++) {
        boolean near = touch(blocks.box(block), blocks.box(other));
        cut += near && !at.get(block).equals(at.get(other)) ? 1 : 0;
      }
    }
    assertThat(cut).isEqualTo(faces);
  }

  private static boolean touch(Box one, Box other) {
    long distance = 0;
    for (int axis = 0; axis < one.dimensions(); axis++) {
      distance += Math.abs(one.start(axis) - other.start(axis)) / 8;
    }
    return distance == 1;
  }

  /** An executor with neighbours on both sides would hold the others up. */
  @Test
  void executorsHaveSquares() {
    List<String> at = new BlockPlaces(cubes(8, 8), executors(4)).locations();
    assertThat(List.of(at.get(0), at.get(7), at.get(56), at.get(63)))
        .containsExactly("e0", "e1", "e2", "e3");
    assertThat(List.of(at.get(27), at.get(28), at.get(35), at.get(36)))
        .containsExactly("e0", "e1", "e2", "e3");
  }

  @ParameterizedTest
  @CsvSource({"3x3, 2", "3x3, 4", "7x5, 3", "5x3x2, 7", "64, 5", "2x2, 3", "2, 5"})
  void noExecutorHasMoreBlocksThanItsPart(String parts, int executors) {
    GridBlocks blocks = cubes(Stream.of(parts.split("x")).mapToInt(Integer::parseInt).toArray());
    BlockPlaces places = new BlockPlaces(blocks, executors(executors));
    int most = (blocks.count() - 1) / executors + 1;
    for (String executor : places.locations()) {
      assertThat(Collections.frequency(places.locations(), executor)).isLessThanOrEqualTo(most);
    }
    assertThat(IntStream.of(places.ranks()).sorted())
        .containsExactlyElementsOf(IntStream.range(0, blocks.count()).boxed().toList());
  }

  @Test
  void blocksOfAnExecutorAreHalvedForItsGpus() {
    BlockPlaces places = new BlockPlaces(cubes(4, 4), List.of("a"));
    List<Integer> first =
        IntStream.range(0, 16).filter(i -> places.ranks()[i] < 4).boxed().toList();
    assertThat(first).containsExactly(0, 1, 4, 5);
  }

  @Test
  void blocksOfAnExecutorThatIsGoneGoTogetherToTheOneWithTheFewest() {
    BlockPlaces places = places(7, "a", "b", "c");
    places.moved(6, "b");

    places.see(List.of("b", "c"), false);

    assertThat(places.locations()).containsExactly("c", "c", "c", "b", "b", "c", "b");
  }

  @Test
  void executorsThatAreGoneAtOnceHaveHeirsOfTheirOwn() {
    BlockPlaces places = places(8, "a", "b", "c", "d");

    places.see(List.of("c", "d"), false);

    assertThat(places.locations()).containsExactly("c", "c", "d", "d", "c", "c", "d", "d");
  }

  @Test
  void blocksThatMeetAreGivenToAllThatAreLeftAndNeighboursToOne() {
    BlockPlaces places = places(12, "a", "b", "c");

    places.see(List.of("a", "c"), true);

    assertThat(places.locations().subList(4, 8)).containsExactly("a", "a", "c", "c");
    assertThat(places.mostOf(List.of(4, 5, 6, 7))).isEqualTo(2);
    assertThat(places.mostOf(List.of(0, 4, 7))).isEqualTo(2);
    assertThat(places.most()).isEqualTo(6);
  }

  @Test
  void executorsWithFewBlocksGetMoreOfThoseThatAreLost() {
    BlockPlaces places = places(9, "a", "b", "c");
    places.moved(3, "c");

    places.see(List.of("b", "c"), true);

    assertThat(Collections.frequency(places.locations(), "b")).isEqualTo(5);
    assertThat(Collections.frequency(places.locations(), "c")).isEqualTo(4);
  }

  @Test
  void blocksOfOneThatIsGoneComeTogetherAgainOnTheOneThatComes() {
    BlockPlaces places = places(12, "a", "b", "c");
    places.see(List.of("a", "c"), true);
    places.see(List.of("a", "c", "d"), true);

    assertThat(places.spread(1000, 1).keySet()).containsExactly(4, 5, 6, 7);
  }

  @Test
  void othersStayWhenExecutorsCome() {
    BlockPlaces places = places(4, "a", "b");

    places.see(List.of("a", "b", "c"), false);

    assertThat(places.locations()).containsExactly("a", "a", "b", "b");
  }

  @Test
  void blocksMoveToExecutorsThatHaveComeIfItPays() {
    BlockPlaces places = places(6, "a", "b");
    assertThat(places.spread(1000, 1)).isEmpty();
    places.see(List.of("a", "b", "c"), false);

    assertThat(places.most()).isEqualTo(3);
    assertThat(places.spread(11, 1.0 / 3)).as("11 s of 3 blocks become 7.3 s of 2").isEmpty();
    assertThat(places.spread(12, 1.0 / 3)).isEqualTo(Map.of(2, "c", 5, "c"));

    assertThat(places.locations()).containsExactly("a", "a", "a", "b", "b", "b");
    assertThat(places.spread(1000, 1)).as("asked once").isEmpty();
  }

  @Test
  void blocksOfAnExecutorThatIsGoneAreSpreadOverTheOthersIfItPays() {
    BlockPlaces places = places(6, "a", "b", "c");
    places.see(List.of("b", "c"), false);
    assertThat(places.locations()).containsExactly("b", "b", "b", "b", "c", "c");

    assertThat(places.spread(1000, 1)).isEqualTo(Map.of(3, "c"));
  }

  @Test
  void blocksThatTasksHaveTakenElsewhereStayThere() {
    BlockPlaces places = places(4, "a", "b");
    places.see(List.of("a", "b", "c"), false);
    assertThat(places.spread(1000, 1)).as("two at most, with or without the third").isEmpty();

    places.moved(1, "b");

    assertThat(places.spread(1000, 1)).isEmpty();
  }

  @Test
  void anExecutorThatCameAndWentUnseenIsGone() {
    BlockPlaces places = places(2, "a", "b");
    places.moved(0, "c");

    places.see(List.of("a", "b"), false);

    assertThat(places.locations()).containsExactly("a", "b");
  }

  /** Spark has taken a task there before anybody has asked which executors there are. */
  @Test
  void aBlockOnAnExecutorThatIsNotKnownYetStaysThere() {
    BlockPlaces places = places(7, "a", "b", "c");
    places.see(List.of("b", "c"), false);
    places.moved(6, "d");

    assertThat(places.spread(1000, 1)).doesNotContainKey(6).isNotEmpty();
  }
}
