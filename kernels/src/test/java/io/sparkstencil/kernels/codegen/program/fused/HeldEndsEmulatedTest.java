/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.ExhaustiveRun;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.planes.PlaneStreams;
import io.sparkstencil.kernels.codegen.program.rows.RowStreams;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.FieldBoundary;
import io.sparkstencil.program.StencilProgram;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kernels of several steps that hold the boundary along some axes, on an emulated device: rules at
 * random for each field and side, against the scalar reference.
 */
final class HeldEndsEmulatedTest {
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

  private static Stream<FusedCase> planes() {
    return cases(2);
  }

  /** Every other one, as each takes about a second. */
  private static Stream<FusedCase> solids() {
    List<FusedCase> all = cases(3).toList();
    int step = ExhaustiveRun.isAsked() ? 1 : 2;
    return IntStream.iterate(0, i -> i < all.size(), i -> i + step).mapToObj(all::get);
  }

  private static Stream<FusedCase> cases(int dimensions) {
    return FusedCase.of(dimensions).stream()
        .filter(
            what ->
                what.type() == ElementType.F32 == (what.program().accuracy() == Accuracy.EXACT));
  }

  /** Tiles at the ends of rows, the rows beside the results left out. */
  @ParameterizedTest
  @MethodSource("planes")
  void allColumnsEqualTheReference(FusedCase what) {
    Random random = new Random(what.name().hashCode());
    FusedCase ruled = new FusedCase(what.name(), withRules(what.program(), random), what.type());
    DeviceTraits device = DEVICES.get(random.nextInt(DEVICES.size()));
    List<FusedKernel> small =
        new ArrayList<>(RowStreams.fastestFirst(ruled.traits(), ruled.type(), LARGE, device));
    small.removeIf(k -> k.steps() > MOST_STEPS || k.generate().outputsPerBlock() > MOST_COLUMNS);
    FusedCheck check = new FusedCheck(context, MULTIPROCESSORS);
    FusedKernel large = small.get(random.nextInt(small.size()));
    List<Integer> sizes = sizes(large, random);
    FusedKernel kernel = alike(large, ruled, FusedCheck.layout(ruled.type(), sizes), device);
    assertThat(check.fault(ruled, kernel, sizes)).isEmpty();
  }

  /** Tiles at the ends of rows and columns, the planes beside the results left out. */
  @ParameterizedTest
  @MethodSource("solids")
  void allRowsAndColumnsEqualTheReference(FusedCase what) {
    Random random = new Random(what.name().hashCode());
    FusedCase ruled = new FusedCase(what.name(), withRules(what.program(), random), what.type());
    FusedCheck check = new FusedCheck(context, MULTIPROCESSORS);
    List<Integer> sizes =
        List.of(30 + random.nextInt(8), 34 + random.nextInt(20), 130 + random.nextInt(70));
    FusedKernel.Layout layout = FusedCheck.layout(ruled.type(), sizes);
    List<FusedKernel> kernels =
        new ArrayList<>(
            PlaneStreams.fastestFirst(ruled.traits(), ruled.type(), layout, DeviceTraits.H200));
    Collections.shuffle(kernels, random);
    assertThat(kernels).isNotEmpty();
    int count = ExhaustiveRun.isAsked() ? kernels.size() : 1;
    for (FusedKernel kernel : kernels.subList(0, count)) {
      assertThat(check.fault(ruled, kernel, sizes)).isEmpty();
    }
  }

  /** Warps that compute while others arrive at the barrier of a plane. */
  @ParameterizedTest
  @ValueSource(strings = {"seven", "laplacian", "heat", "swap", "box of 27"})
  void warpsThatOverlapEqualTheReference(String name) {
    FusedCase what =
        FusedCase.of(3).stream()
            .filter(each -> each.name().equals(name + " f64 fma"))
            .findFirst()
            .orElseThrow();
    Random random = new Random(name.hashCode());
    FusedCase ruled = new FusedCase(name, withRules(what.program(), random), what.type());
    List<Integer> sizes =
        List.of(30 + random.nextInt(8), 84 + random.nextInt(20), 70 + 2 * random.nextInt(35));
    FusedCheck check = new FusedCheck(context, MULTIPROCESSORS);
    assertThat(check.fault(ruled, overlapping(ruled), sizes)).isEmpty();
  }

  /** Returns a kernel for large fields whose warps compute while others arrive. */
  static FusedKernel overlapping(FusedCase what) {
    FusedKernel.Layout layout = new FusedKernel.Layout(List.of(512, 1024, 1024), 1024);
    return PlaneStreams.fastestFirst(what.traits(), what.type(), layout, DeviceTraits.H200).stream()
        .filter(kernel -> kernel.generate().ptx().contains("mbarrier.try_wait"))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the kernel of the same shape for fields of other sizes. */
  private static FusedKernel alike(
      FusedKernel kernel, FusedCase what, FusedKernel.Layout layout, DeviceTraits device) {
    return RowStreams.fastestFirst(what.traits(), what.type(), layout, device).stream()
        .filter(each -> each.steps() == kernel.steps())
        .filter(each -> shape(each).equals(shape(kernel)))
        .findFirst()
        .orElseThrow();
  }

  private static String shape(FusedKernel kernel) {
    return kernel.generate().entryName().replace("_ends", "");
  }

  /** Gives each field rules of its own; now and then, all wrap along one axis. */
  static StencilProgram withRules(StencilProgram program, Random random) {
    int wrapping = random.nextInt(12);
    StencilProgram ruled = program;
    for (String field : program.fields()) {
      List<List<Boundary>> sides = List.of(new ArrayList<>(), new ArrayList<>());
      for (List<Boundary> side : sides) {
        for (int axis = 0; axis < program.dimensions(); axis++) {
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
  static List<Integer> sizes(FusedKernel kernel, Random random) {
    int columns = (1 + random.nextInt(3)) * kernel.generate().outputsPerBlock();
    columns += 100 + random.nextInt(64);
    int rows = 2;
    while (kernel.results(new FusedKernel.Layout(List.of(rows, 16_384), 16_384)).isEmpty()) {
      rows++;
    }
    return List.of(rows + random.nextInt(20), columns);
  }
}
