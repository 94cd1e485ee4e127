/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.GeneratedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.Levels;
import io.sparkstencil.kernels.codegen.program.lines.LineStreams;
import io.sparkstencil.kernels.codegen.program.planes.PlaneStreams;
import io.sparkstencil.kernels.codegen.program.rows.RowStreams;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.testkit.RequiresGpu;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each kernel of several steps alone, on a real device, against the scalar reference. */
@RequiresGpu
class FusedKernelsGpuTest {
  /** Fewer than devices have, so that small arrays are divided in segments, too. */
  private static final int MULTIPROCESSORS = 2;

  /** Large enough for all kernels. */
  private static final FusedKernel.Layout LARGE =
      new FusedKernel.Layout(List.of(16_384, 16_384), 16_384);

  private static PrimaryContext context;

  @BeforeAll
  static void open() {
    context = CudaDriver.get().open(0);
  }

  @AfterAll
  static void close() {
    context.close();
  }

  private static Stream<FusedCase> cases() {
    return Stream.of(1, 2, 3).flatMap(dimensions -> FusedCase.of(dimensions).stream());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void equalsTheReference(FusedCase what) {
    FusedCheck check = new FusedCheck(context, MULTIPROCESSORS);
    List<String> faults = new ArrayList<>();
    kernels(what)
        .forEach(
            kernel ->
                sizes(what, kernel)
                    .forEach(sizes -> check.fault(what, kernel, sizes).ifPresent(faults::add)));
    assertThat(faults).isEmpty();
  }

  /** Kernels of different shapes, among them those for devices that cannot copy ahead. */
  static List<FusedKernel> kernels(FusedCase what) {
    List<FusedKernel> kernels = new ArrayList<>();
    if (what.program().dimensions() == 1) {
      kernels.addAll(some(LineStreams.fastestFirst(what.traits(), what.type()), 4));
      return kernels;
    }
    if (what.program().dimensions() == 3) {
      FusedKernel.Layout large = new FusedKernel.Layout(List.of(256, 512, 512), 512);
      kernels.addAll(
          some(PlaneStreams.fastestFirst(what.traits(), what.type(), large, DeviceTraits.H200), 6));
      return kernels;
    }
    kernels.addAll(
        some(RowStreams.fastestFirst(what.traits(), what.type(), LARGE, DeviceTraits.H200), 6));
    kernels.addAll(
        some(
            RowStreams.fastestFirst(
                what.traits(), what.type(), LARGE, new DeviceTraits(70, 98_304)),
            2));
    return kernels;
  }

  /** Returns the first kernel and others, evenly from the rest. */
  private static List<FusedKernel> some(List<? extends FusedKernel> all, int count) {
    int step = Math.max(1, all.size() / count);
    List<FusedKernel> chosen = new ArrayList<>();
    for (int i = 0; i < all.size(); i += step) {
      chosen.add(all.get(i));
    }
    return chosen;
  }

  /** Returns sizes with which tiles and segments overlap, and the least that are computed. */
  static List<List<Integer>> sizes(FusedCase what, FusedKernel kernel) {
    if (what.program().dimensions() == 3) {
      int planes = least(kernel, size -> List.of(size, 512, 512));
      int rows = least(kernel, size -> List.of(256, size, 512));
      int columns = least(kernel, size -> List.of(256, 512, size));
      return List.of(List.of(planes, rows, columns), List.of(planes + 9, rows + 13, columns + 36));
    }
    Levels levels = new Levels(what.traits(), kernel.steps());
    int last = what.program().dimensions() - 1;
    int margins = levels.before(last) + levels.after(last);
    GeneratedKernel generated = kernel.generate();
    // in one dimension each warp has a tile of its own
    int tiles = last == 0 ? generated.threadsPerBlock() / 32 : 1;
    int tile = generated.outputsPerBlock() / tiles;
    int least = tile + margins + 16;
    if (last == 0) {
      return List.of(List.of(least), List.of(4 * tile + margins + 3));
    }
    int rows = levels.before(0) + levels.after(0);
    // rows of whole chunks, as those for which the kernels are made
    int wide = tile + tile / 3 + margins + 37;
    return List.of(List.of(3 * rows + 2, least + 3 & -4), List.of(3 * rows + 29, wide + 3 & -4));
  }

  /** Returns the least size of an array that has results. */
  private static int least(FusedKernel kernel, IntFunction<List<Integer>> sizes) {
    return IntStream.range(1, 512)
        .filter(size -> kernel.results(new FusedKernel.Layout(sizes.apply(size), 512)).isPresent())
        .findFirst()
        .orElseThrow();
  }
}
