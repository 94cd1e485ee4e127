/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.program.EdgeKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.rows.RowStreams;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.ProgramText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kernels that hold the boundary, beside those that leave it to them, on an emulated device: rules
 * at random for each field and side, against the scalar reference.
 */
final class EdgeKernelsEmulatedTest {
  private static final int MULTIPROCESSORS = 2;
  private static final int MOST_STEPS = 5;
  private static final int MOST_COLUMNS = 360;
  private static final FusedKernel.Layout LARGE =
      new FusedKernel.Layout(List.of(16_384, 16_384), 16_384);
  private static final List<DeviceTraits> DEVICES =
      List.of(DeviceTraits.H200, new DeviceTraits(70, 98_304));

  private static PrimaryContext context;

  @BeforeAll
  static void open() {
    FakeGpu gpu = new FakeGpu();
    gpu.emulate();
    context = gpu.driver().open(0);
  }

  @AfterAll
  static void close() {
    context.close();
  }

  private static Stream<FusedCase> cases() {
    return FusedCase.of(2).stream()
        .filter(
            what ->
                what.type() == ElementType.F32 == (what.program().accuracy() == Accuracy.EXACT));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyCellEqualsTheReference(FusedCase what) {
    Random random = new Random(what.name().hashCode());
    FusedCase ruled = new FusedCase(what.name(), withRules(what.program(), random), what.type());
    DeviceTraits device = DEVICES.get(random.nextInt(DEVICES.size()));
    List<FusedKernel> small =
        new ArrayList<>(RowStreams.fastestFirst(ruled.traits(), ruled.type(), LARGE, device));
    small.removeIf(k -> k.steps() > MOST_STEPS || k.generate().outputsPerBlock() > MOST_COLUMNS);
    Collections.shuffle(small, random);
    FusedCheck check = new FusedCheck(context, MULTIPROCESSORS);
    for (FusedKernel kernel : small) {
      List<Integer> sizes = sizes(kernel, random);
      Optional<EdgeKernel> edges = kernel.edges(FusedCheck.layout(ruled.type(), sizes), device);
      if (edges.isPresent()) {
        assertThat(check.fault(ruled, kernel, edges.get(), sizes)).isEmpty();
        return;
      }
    }
    throw new AssertionError("no kernel holds the boundary of " + what);
  }

  /** The last segment has one row here; the row behind it is a copy of the one before it. */
  @Test
  void aSegmentOfOneRowReadsWhatRowsOutsideAreCopiedFrom() {
    StencilProgram program = ProgramText.parse("u' = u[1,0] + 0.5*u").withBoundary(Boundary.MIRROR);
    FusedCase what = new FusedCase("rows ahead", program, ElementType.F32);
    FusedKernel kernel =
        RowStreams.fastestFirst(what.traits(), what.type(), LARGE, DeviceTraits.H200).stream()
            .filter(each -> each.steps() == 2)
            .min(Comparator.comparing(each -> each.generate().outputsPerBlock()))
            .orElseThrow();
    int columns = 3 * kernel.generate().outputsPerBlock() + 60;
    FusedCheck check = new FusedCheck(context, 100 * MULTIPROCESSORS);
    List<Integer> sizes = List.of(421, columns);
    EdgeKernel edges =
        kernel.edges(FusedCheck.layout(what.type(), sizes), DeviceTraits.H200).orElseThrow();
    // 20 segments have 21 rows each
    assertThat(edges.launch(1000).blocks()).isEqualTo(1 + 420 / 21);
    assertThat(check.fault(what, kernel, edges, sizes)).isEmpty();
  }

  /** Gives each field rules of its own; now and then, all wrap along one axis. */
  private static StencilProgram withRules(StencilProgram program, Random random) {
    int wrapping = random.nextInt(12);
    StencilProgram ruled = program;
    for (String field : program.fields()) {
      List<List<Boundary>> sides = List.of(new ArrayList<>(), new ArrayList<>());
      for (List<Boundary> side : sides) {
        for (int axis = 0; axis < 2; axis++) {
          side.add(axis == wrapping ? Boundary.WRAP : rule(random));
        }
      }
      ruled = ruled.withBoundary(field, new FieldBoundary(sides.get(0), sides.get(1)));
    }
    return ruled;
  }

  private static Boundary rule(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Boundary.REFLECT;
      case 1 -> Boundary.MIRROR;
      case 2 -> Boundary.NEAREST;
      default -> Boundary.constant(random.nextInt(9) - 4.5);
    };
  }

  /** Returns sizes for which a kernel has a few tiles and segments, mostly odd. */
  private static List<Integer> sizes(FusedKernel kernel, Random random) {
    int columns = 3 * kernel.generate().outputsPerBlock() + 100 + random.nextInt(64);
    int rows = 2;
    while (kernel.results(new FusedKernel.Layout(List.of(rows, 16_384), 16_384)).isEmpty()) {
      rows++;
    }
    return List.of(rows + random.nextInt(20), columns);
  }
}
