/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.fused;

import io.sparkstencil.kernels.codegen.program.CountedKernel;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.boxes.BoxStreams;
import io.sparkstencil.kernels.codegen.program.lines.LineStreams;
import io.sparkstencil.kernels.codegen.program.planes.PlaneStreams;
import io.sparkstencil.kernels.codegen.program.rows.RowStreams;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Chooses kernels of several steps. Pure: no device, no clock, no configuration. */
public final class FusedKernels {
  private FusedKernels() {}

  /**
   * Returns kernels for a program, the one that computes the most steps per second first, and after
   * it the fastest of each smaller number of steps, so that passes of about as many steps each make
   * up any number. Those of three dimensions, and of many cells, may have a single step. There are
   * none if too many cells would have to wait in registers, or the arrays are too small.
   *
   * @param layout how the cells lie in memory; each kernel has {@link FusedKernel#results} in it
   */
  public static List<FusedKernel> candidates(
      ProgramTraits traits, ElementType type, FusedKernel.Layout layout, DeviceTraits device) {
    SortedMap<Integer, FusedKernel> chosen = new TreeMap<>(Comparator.reverseOrder());
    for (FusedKernel kernel : fastestFirst(traits, type, layout, device)) {
      if (chosen.isEmpty() || kernel.steps() < chosen.firstKey()) {
        chosen.putIfAbsent(kernel.steps(), kernel);
      }
    }
    return List.copyOf(chosen.values());
  }

  /**
   * Returns all kernels for a program that fit the registers of a device, the one that is estimated
   * to compute the most steps per second first.
   *
   * @param layout how the cells lie in memory; each kernel has {@link FusedKernel#results} in it
   */
  public static List<FusedKernel> fastestFirst(
      ProgramTraits traits, ElementType type, FusedKernel.Layout layout, DeviceTraits device) {
    List<? extends FusedKernel> fitting =
        switch (traits.program().dimensions()) {
          case 1 -> LineStreams.fastestFirst(traits, type);
          case 2 -> inPlanes(traits, type, layout, device);
          default -> PlaneStreams.fastestFirst(traits, type, layout, device);
        };
    return fitting.stream()
        .filter(kernel -> kernel.results(layout).isPresent())
        .map(kernel -> (FusedKernel) kernel)
        .toList();
  }

  /** Tensor cores come first or not at all: what they do in single steps, others do in several. */
  private static List<FusedKernel> inPlanes(
      ProgramTraits traits, ElementType type, FusedKernel.Layout layout, DeviceTraits device) {
    List<CountedKernel> rows = RowStreams.counted(traits, type, layout, device);
    double least = rows.stream().mapToDouble(CountedKernel::turns).min().orElse(Double.MAX_VALUE);
    return Stream.concat(
            BoxStreams.of(traits, type, layout, device).stream()
                .filter(counted -> counted.turns() < least),
            rows.stream())
        .sorted(Comparator.comparing(CountedKernel::turns))
        .map(CountedKernel::kernel)
        .toList();
  }
}
