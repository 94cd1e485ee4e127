/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.testkit;

import io.sparkstencil.engine.Lane;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Reduction;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.testkit.SeriesGenerator.CellMix;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every engine must do: one subclass per engine, which says how to open it.
 *
 * <p>Engines see nothing but leased buffers, so the suite needs no more than the engine interface.
 * Every case compares with {@link SeriesOracle} and checks that nothing was written outside the
 * staged positions of the outputs.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class EngineConformance {
  private static final long SEED = 20261121;

  /** Radius of the frame that sizes are counted by. */
  private static final int RADIUS = 8;

  /** Cells that fill several batches and chunks of any engine. */
  private static final int LONG_SIZE = 1 << 20;

  private static final int[] SIZES = {
    0, 1, RADIUS, 2 * RADIUS + 1, 31, 32, 33, 207, 0, 4098, 2, 1, 1
  };

  /** Where the largest of the sizes is. */
  private static final int LARGEST = 9;

  private static final List<Frame> FRAMES =
      List.of(
          Frame.radius(0),
          Frame.radius(1),
          Frame.radius(RADIUS),
          Frame.precedingFollowing(3, 0),
          Frame.precedingFollowing(0, 20),
          Frame.offsets(2, 5),
          Frame.offsets(-40, -7));

  private static final List<Boundary> BOUNDARIES =
      List.of(
          Boundary.VALID,
          Boundary.SHRINK,
          Boundary.constant(3),
          Boundary.NEAREST,
          Boundary.REFLECT,
          Boundary.MIRROR,
          Boundary.WRAP);

  private static final List<CellMix> KINDS = List.of(CellMix.values());
  private static final List<ElementType> TYPES = List.of(ElementType.values());

  private StencilEngine engine;

  /** Opens the engine under test; called once, closed after the last test. */
  protected abstract StencilEngine engine();

  /**
   * Returns the cells of a long series; fewer for engines that compute one cell after the other,
   * whatever the length.
   */
  protected int longSize() {
    return LONG_SIZE;
  }

  @BeforeAll
  final void open() {
    engine = engine();
    System.out.printf("conformance of engine %s, seed %d%n", engine.name(), SEED);
  }

  @AfterAll
  final void close() {
    if (engine != null) {
      engine.close();
    }
  }

  static Stream<Arguments> typesAndBoundaries() {
    return Stream.of(ElementType.values())
        .flatMap(type -> BOUNDARIES.stream().map(boundary -> Arguments.of(type, boundary)));
  }

  private static StencilSpec spec(
      ElementType type, Reduction reduction, Frame frame, Boundary boundary, Accuracy accuracy) {
    Stencil stencil =
        switch (reduction) {
          case SUM -> Stencil.sum(frame);
          case MEAN -> Stencil.mean(frame);
          case MIN -> Stencil.min(frame);
          case MAX -> Stencil.max(frame);
          case COUNT -> Stencil.count(frame);
          case WEIGHTED_SUM -> Stencil.weighted(frame, weights(type, frame.width()));
        };
    return new StencilSpec(stencil.withBoundary(boundary).withAccuracy(accuracy), type);
  }

  private static double[] weights(ElementType type, int width) {
    double[] weights = new double[width];
    for (int i = 0; i < width; i++) {
      int integer = (i % 5) * (i % 2 == 0 ? 1 : -1);
      weights[i] = type.isFloating() ? integer / 3.0 : integer;
    }
    return weights;
  }

  /** Means of integers are computed in F64. */
  private static List<Reduction> reductionsOf(ElementType type) {
    return Stream.of(Reduction.values())
        .filter(reduction -> type.isFloating() || reduction != Reduction.MEAN)
        .toList();
  }

  private static List<StencilSpec> specs(
      ElementType type, Boundary boundary, List<Frame> frames, List<Accuracy> accuracies) {
    List<StencilSpec> specs = new ArrayList<>();
    for (Frame frame : frames) {
      for (Reduction reduction : reductionsOf(type)) {
        for (Accuracy accuracy :
            choosesOrCounts(reduction) ? accuracies.subList(0, 1) : accuracies) {
          StencilSpec spec = spec(type, reduction, frame, boundary, accuracy);
          if (accuracy != Accuracy.FMA || spec.fusesProducts()) {
            specs.add(spec);
          }
        }
      }
    }
    return specs;
  }

  /** Returns a reduction in each accuracy that makes a difference. */
  private static List<StencilSpec> specs(
      ElementType type, Boundary boundary, Frame frame, Reduction reduction) {
    return specs(type, boundary, List.of(frame), List.of(Accuracy.values())).stream()
        .filter(spec -> spec.reduction() == reduction)
        .toList();
  }

  private static boolean choosesOrCounts(Reduction reduction) {
    return reduction.chooses() || reduction == Reduction.COUNT;
  }

  private static List<TestSeries> series(
      SeriesGenerator generator, ElementType type, CellMix kind, int... sizes) {
    List<TestSeries> series = new ArrayList<>();
    for (int size : sizes) {
      series.add(generator.next(type, size, kind));
    }
    return series;
  }

  private void direct(String name, List<TestSeries> series, List<StencilSpec> specs) {
    try (Lane lane = engine.openLane()) {
      String context = "%s, %s, seed %d".formatted(engine.name(), name, SEED);
      new DirectRun(engine, lane, context).check(series, specs, SeriesOracle::expected);
    }
  }

  @ParameterizedTest
  @MethodSource("typesAndBoundaries")
  final void manySeriesShareABatchAndSeveralStencilsAStaging(ElementType type, Boundary boundary) {
    SeriesGenerator generator = new SeriesGenerator(SEED);
    List<StencilSpec> specs = specs(type, boundary, FRAMES, List.of(Accuracy.values()));
    // Over all types and boundaries, each kind of series has the largest size.
    int turn = TYPES.indexOf(type) + BOUNDARIES.indexOf(boundary);
    for (CellMix kind : KINDS) {
      int[] sizes = SIZES.clone();
      if ((KINDS.indexOf(kind) + turn) % 3 > 0) {
        sizes[LARGEST] = 515;
      }
      direct(kind + " ragged", series(generator, type, kind, sizes), specs);
    }
  }

  @ParameterizedTest
  @MethodSource("typesAndBoundaries")
  final void everySizeAlone(ElementType type, Boundary boundary) {
    SeriesGenerator generator = new SeriesGenerator(SEED + 1);
    List<Frame> frames = List.of(Frame.radius(RADIUS), Frame.offsets(2, 5));
    for (int size : SIZES) {
      CellMix kind = KINDS.get(generator.nextInt(KINDS.size()));
      for (StencilSpec spec : specs(type, boundary, frames, List.of(Accuracy.EXACT))) {
        direct(
            "%s alone of %d".formatted(kind, size),
            series(generator, type, kind, size),
            List.of(spec));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("typesAndBoundaries")
  final void framesWiderThanTheSeries(ElementType type, Boundary boundary) {
    SeriesGenerator generator = new SeriesGenerator(SEED + 2);
    List<Frame> frames =
        List.of(Frame.radius(50), Frame.precedingFollowing(0, 255), Frame.offsets(-330, -41));
    List<StencilSpec> specs = specs(type, boundary, frames, List.of(Accuracy.values()));
    for (CellMix kind : List.of(CellMix.ORDINARY, CellMix.SPECIAL_NULLS)) {
      direct(kind + " wide", series(generator, type, kind, 1, 40, 207, 700, 0, 33), specs);
    }
  }

  @ParameterizedTest
  @MethodSource("typesAndBoundaries")
  final void cutSeriesThroughThePipelineGiveTheSameBits(ElementType type, Boundary boundary) {
    SeriesGenerator generator = new SeriesGenerator(SEED + 3);
    List<Frame> frames = List.of(Frame.radius(2), Frame.offsets(2, 5), Frame.offsets(-40, -7));
    List<StencilSpec> specs = specs(type, boundary, frames, List.of(Accuracy.EXACT));
    // Over all types and boundaries, each kind of series meets each size of batches.
    int turn = TYPES.indexOf(type) + BOUNDARIES.indexOf(boundary);
    List<Integer> batches = List.of(1, 20011, engine.preferredBatchBytes());
    for (CellMix kind : KINDS) {
      int batchBytes = batches.get((KINDS.indexOf(kind) + turn) % batches.size());
      String context =
          "%s, %s cut, batches of %d, seed %d".formatted(engine.name(), kind, batchBytes, SEED + 3);
      new PipelineRun(engine, context, generator)
          .check(
              series(generator, type, kind, 1, 207, 31, 2050, 5003),
              specs,
              kind == CellMix.ORDINARY ? 4500 : 90,
              batchBytes);
    }
  }

  @ParameterizedTest
  @MethodSource("typesAndBoundaries")
  final void stepsAreApplicationsOneAfterTheOther(ElementType type, Boundary boundary) {
    SeriesGenerator generator = new SeriesGenerator(SEED + 6);
    List<Frame> frames =
        List.of(Frame.radius(2), Frame.precedingFollowing(20, 3), Frame.offsets(2, 5));
    try (Lane lane = engine.openLane()) {
      for (StencilSpec spec : specs(type, boundary, frames, List.of(Accuracy.EXACT))) {
        for (CellMix kind : List.of(CellMix.ORDINARY, CellMix.SPECIAL_NULLS)) {
          // Under these rules results become null although no cell is.
          boolean hasNulls = kind == CellMix.SPECIAL_NULLS || boundary.leavesMissing();
          int steps = kind == CellMix.ORDINARY ? 5 : 4; // they end in different buffers
          String context =
              "%s, %s, %d steps, seed %d".formatted(engine.name(), kind, steps, SEED + 6);
          new DirectRun(engine, lane, context)
              .checkSteps(series(generator, type, kind, 31, 1, 2, 600), spec, steps, hasNulls);
        }
      }
    }
  }

  static Stream<Arguments> typesAndReductions() {
    return Stream.of(ElementType.values())
        .flatMap(type -> reductionsOf(type).stream().map(r -> Arguments.of(type, r)));
  }

  @ParameterizedTest
  @MethodSource("typesAndReductions")
  final void longSeriesUnderEveryBoundary(ElementType type, Reduction reduction) {
    SeriesGenerator generator = new SeriesGenerator(SEED + 4);
    List<CellMix> kinds = List.of(CellMix.SPECIAL, CellMix.SPECIAL_NULLS);
    Frame frame = Frame.precedingFollowing(3, 1);
    List<TestSeries> longOnes = new ArrayList<>();
    List<SeriesOracle.Expected> underShrink = new ArrayList<>();
    int index = List.of(Reduction.values()).indexOf(reduction);
    StencilSpec shrinking = spec(type, reduction, frame, Boundary.SHRINK, Accuracy.EXACT);
    for (CellMix kind : kinds) {
      longOnes.add(generator.next(type, longSize(), kind));
      underShrink.add(SeriesOracle.expected(longOnes.get(longOnes.size() - 1), shrinking));
    }
    try (Lane lane = engine.openLane()) {
      for (int i = 0; i < BOUNDARIES.size(); i++) {
        Boundary boundary = BOUNDARIES.get(i);
        int which = (i + index) % kinds.size();
        String context =
            "%s, %s long, %s, seed %d"
                .formatted(engine.name(), kinds.get(which), boundary, SEED + 4);
        new DirectRun(engine, lane, context)
            .check(
                List.of(longOnes.get(which)),
                // Fused products, which have results of their own, are in other tests.
                specs(type, boundary, frame, reduction).stream()
                    .filter(spec -> !spec.fusesProducts())
                    .toList(),
                // Exact and fast have the same expectation; the comparator knows the difference.
                (series, specs) ->
                    Collections.nCopies(
                        specs.size(),
                        SeriesOracle.expected(
                            series, specs.get(0), underShrink.get(which), shrinking)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("typesAndReductions")
  final void seriesOfSeveralChunks(ElementType type, Reduction reduction) {
    int index = List.of(Reduction.values()).indexOf(reduction);
    CellMix kind = KINDS.get(index % KINDS.size());
    direct(
        kind + " long enough for several chunks",
        series(new SeriesGenerator(SEED + 6), type, kind, 100_000),
        specs(type, BOUNDARIES.get(1 + index), Frame.precedingFollowing(35, 17), reduction));
  }

  @Test
  final void veryWideFramesAreNotQuadratic() {
    SeriesGenerator generator = new SeriesGenerator(SEED + 5);
    Frame frame = Frame.radius(1 << 20);
    List<StencilSpec> specs =
        List.of(
            new StencilSpec(Stencil.min(frame), ElementType.F32),
            new StencilSpec(Stencil.sum(frame), ElementType.I64),
            new StencilSpec(Stencil.mean(frame).withAccuracy(Accuracy.FAST), ElementType.F64));
    for (StencilSpec spec : specs) {
      direct("very wide", series(generator, spec.type(), CellMix.ORDINARY, 40, 7), List.of(spec));
    }
  }

  @Test
  final void lanesOnSeveralThreadsGiveTheSameBits() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 8; thread++) {
        long seed = SEED + 100 + thread;
        ElementType type = TYPES.get(thread % TYPES.size());
        running.add(
            threads.submit(
                () ->
                    direct(
                        "thread " + seed,
                        series(new SeriesGenerator(seed), type, CellMix.SPECIAL, 5000, 33, 1),
                        specs(
                            type,
                            Boundary.SHRINK,
                            List.of(Frame.radius(3)),
                            List.of(Accuracy.EXACT)))));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
