/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.grids;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sparkstencil.benchmarks.grids.WeakProjection.Hosts;
import io.sparkstencil.benchmarks.grids.WeakProjection.Measured;
import io.sparkstencil.grid.BlockHalves;
import io.sparkstencil.grid.ExchangeCost.Exchange;
import io.sparkstencil.grid.GridBlocks;
import io.sparkstencil.model.ElementType;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WeakProjectionTest {
  private final WeakProjection projection =
      new WeakProjection(
          GridCase.of(3, ElementType.F32, 1000).program(),
          ElementType.F32,
          new GridBlocks(List.of(2048L, 2048L, 1024L), List.of(512, 512, 1024)),
          5);

  @Test
  void oneGpuIsAsFastAsItself() {
    assertThat(projection.speedup(1, Exchange.ON_GPU)).isCloseTo(1, within(1e-12));
  }

  @Test
  void moreGpusAreFasterButForTheirExchanges() {
    double together = projection.speedup(2, Exchange.BETWEEN_GPUS);
    double shared = projection.speedup(2, Exchange.SHARED);

    assertThat(together).isBetween(1.8, 2.0);
    assertThat(shared)
        .as("the GPU goes on with other blocks, whichever way faces come")
        .isCloseTo(together, within(1e-6));
    assertThat(projection.speedup(2, Exchange.OF_GPUS_BY_LOG)).isLessThan(0.5 * shared);
    assertThat(projection.speedup(64, Exchange.SHARED))
        .as("blocks have the same neighbours, and the slowest of more GPUs is slower")
        .isBetween(
            7.7 * projection.speedup(8, Exchange.SHARED),
            8 * projection.speedup(8, Exchange.SHARED));
  }

  @Test
  void aLinkThatIsTooSlowIsWhatCountsAndItsHostsShareIt() {
    List<Integer> slabs = List.of(64);
    List<Integer> cubes = List.of(4, 4, 4);
    double ample = projection.speedup(slabs, new Hosts(1, 1000));
    double slow = projection.speedup(slabs, new Hosts(1, 2.5));

    assertThat(ample).isBetween(12.0, 64.0);
    assertThat(projection.speedup(slabs, new Hosts(1, 1.25)) / slow)
        .as("half of the rate of the link")
        .isCloseTo(0.5, within(0.05));
    assertThat(projection.speedup(cubes, new Hosts(1, 2.5)))
        .as("a cube gives more to others than a slab")
        .isLessThan(0.6 * slow);
    assertThat(projection.speedup(slabs, new Hosts(8, 2.5)))
        .as("two faces leave a host, however many GPUs it has")
        .isCloseTo(slow, within(0.1 * slow));
    assertThat(projection.speedup(List.of(8), new Hosts(8, 1)))
        .as("nothing leaves a host that is alone")
        .isGreaterThan(7);
  }

  @ParameterizedTest
  @CsvSource({
    "8, 8, 1, 1",
    "4x2, 4, 2, 1",
    "2x2x2, 2, 2, 2",
    "2x4, 2, 4, 1",
  })
  void executorsHavePartsAsTheGridGrowsWhereAGpuHasCubes(String grows, int x, int y, int z) {
    List<Integer> along = Stream.of(grows.split("x")).map(Integer::valueOf).toList();
    List<Long> sizes = WeakProjection.sizes(WeakProblem.sizes(3, 1280L * 1280 * 1280), along);
    GridBlocks blocks = new GridBlocks(sizes, List.of(640, 640, 640));
    BlockHalves halves = new BlockHalves(blocks, 8);
    Map<Integer, Set<List<Long>>> corners = new TreeMap<>();
    for (int block = 0; block < blocks.count(); block++) {
      corners
          .computeIfAbsent(halves.groups()[block], same -> new HashSet<>())
          .add(blocks.box(block).origin().stream().map(start -> start / 1280).toList());
    }
    assertThat(sizes).containsExactly(1280L * x, 1280L * y, 1280L * z);
    assertThat(corners).hasSize(8);
    assertThat(corners.values()).allSatisfy(parts -> assertThat(parts).hasSize(1));
  }

  @Test
  void gridsOfOneAndTwoHaveTheirForecasts() {
    for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
      for (int dimensions = 1; dimensions <= 3; dimensions++) {
        WeakProjection heat = WeakProjection.of(dimensions, type);
        GridBlocks one = heat.perGpu();
        GridBlocks four = new GridBlocks(WeakProjection.sizes(one.sizes(), 4), one.blockSizes());
        assertThat(
                heat.speedup(
                    new Measured(one, 1, Exchange.ON_GPU, 12),
                    new Measured(four, 4, Exchange.SHARED, 12)))
            .isBetween(3.4, 4.1);
      }
    }
    assertThat(WeakProjection.of(3, ElementType.F32).stepsAtOnce()).isEqualTo(4);
    assertThat(WeakProjection.of(2, ElementType.F32).stepsAtOnce()).isEqualTo(12);
  }

  @Test
  void theGridGrowsAlongItsSlowestAxis() {
    assertThat(WeakProjection.sizes(List.of(3L, 5L), 4)).containsExactly(12L, 5L);
    assertThat(WeakProblem.sizes(3, 1L << 32)).containsExactly(2048L, 2048L, 1024L);
    assertThat(WeakProblem.sizes(2, 1L << 5)).containsExactly(8L, 4L);
    assertThat(WeakProblem.sizes(1, 1L << 32)).containsExactly(1L << 32);
    assertThat(WeakProblem.sizes(3, 1000)).containsExactly(10L, 10L, 10L);
  }
}
