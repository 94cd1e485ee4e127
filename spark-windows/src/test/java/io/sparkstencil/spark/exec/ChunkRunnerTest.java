/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cells.CellBuffer;
import io.sparkstencil.engine.CompiledStencil;
import io.sparkstencil.engine.Completion;
import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.reference.ReferenceEngine;
import io.sparkstencil.staging.StagedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChunkRunnerTest {
  private final List<String> closed = new ArrayList<>();

  /** The reference, whose lanes cannot be closed without a complaint. */
  private final class Complaining implements StencilEngine {
    private final StencilEngine below = new ReferenceEngine();
    private final String name;

    Complaining(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Optional<String> reasonAgainst(StencilSpec spec) {
      return below.reasonAgainst(spec);
    }

    @Override
    public CompiledStencil compile(StencilSpec spec) {
      return below.compile(spec);
    }

    @Override
    public Lane openLane() {
      Lane lane = below.openLane();
      return new Lane() {
        @Override
        public CellBuffer lease(ElementType type, int cells, boolean withValidity) {
          return lane.lease(type, cells, withValidity);
        }

        @Override
        public Completion submit(
            StagedBatch input, List<CompiledStencil> stencils, List<CellBuffer> outputs) {
          return lane.submit(input, stencils, outputs);
        }

        @Override
        public void close() {
          lane.close();
          closed.add(name);
          throw new IllegalStateException("lane of " + name);
        }
      };
    }

    @Override
    public int preferredBatchBytes() {
      return below.preferredBatchBytes();
    }

    @Override
    public void close() {
      below.close();
    }
  }

  @Test
  void closesAllAndTellsTheFirstFailureWithTheOthers() {
    StagePlan plan =
        StagePlan.of(
            List.of(
                new StagePlan.Call(
                    0, CellKind.DOUBLE, Stencil.min(Frame.radius(1)), SumOverflow.WRAP),
                new StagePlan.Call(
                    0, CellKind.LONG, Stencil.min(Frame.radius(1)), SumOverflow.WRAP)));
    ChunkBuilder builder = new ChunkBuilder(plan, false);
    builder.columns()[0].add(1.5);
    builder.columns()[1].add(7L);
    List<SeriesChunk<Void>> chunks = List.of(builder.finish(null));
    try (StencilEngine one = new Complaining("one");
        StencilEngine two = new Complaining("two")) {
      ChunkRunner<Void> runner =
          new ChunkRunner<>(
              plan, List.of(one, two), List.of(), SeriesHalos.none(2), chunks.iterator());
      assertThat(runner.next().rows()).isEqualTo(1);
      assertThatThrownBy(runner::close)
          .isInstanceOf(IllegalStateException.class)
          .satisfies(
              first -> {
                assertThat(first).hasMessage("lane of " + closed.get(0));
                assertThat(first.getSuppressed())
                    .singleElement()
                    .satisfies(next -> assertThat(next).hasMessage("lane of " + closed.get(1)));
              });
      assertThat(closed).containsExactlyInAnyOrder("one", "two");
    }
  }
}
