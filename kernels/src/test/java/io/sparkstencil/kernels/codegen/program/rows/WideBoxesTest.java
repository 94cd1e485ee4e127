/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.kernels.codegen.program.BoxText;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.text.ProgramText;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums of very many cells stream, too: by single steps where two take too many registers. */
class WideBoxesTest {
  private static final FusedKernel.Layout LAYOUT =
      new FusedKernel.Layout(List.of(16_384, 16_384), 16_384);

  private static List<FusedKernel> kernels(
      int radius, ElementType type, Accuracy accuracy, DeviceTraits device) {
    ProgramTraits traits =
        ProgramTraits.of(ProgramText.parse(BoxText.ofRadius(radius)).withAccuracy(accuracy));
    return RowStreams.fastestFirst(traits, type, LAYOUT, device);
  }

  @ParameterizedTest
  @CsvSource({
    "4, F64, FMA",
    "4, F64, EXACT",
    "4, F32, EXACT",
    "5, F64, FMA",
    "5, F32, FMA",
    "6, F64, FMA",
    "7, F64, FMA",
    "7, F32, FMA"
  })
  void haveKernelsThatSpillNothing(int radius, ElementType type, Accuracy accuracy) {
    List<FusedKernel> kernels = kernels(radius, type, accuracy, DeviceTraits.H200);
    assertThat(kernels).isNotEmpty();
    IntStream.rangeClosed(1, 2)
        .mapToObj(steps -> kernels.stream().filter(kernel -> kernel.steps() == steps).findFirst())
        .flatMap(Optional::stream)
        .parallel()
        .forEach(RowStreamsTest::requireNoSpills);
  }

  @Test
  void devicesWithoutAsynchronousCopiesHaveSome() {
    DeviceTraits volta = new DeviceTraits(70, 98_304);
    for (FusedKernel kernel : kernels(4, ElementType.F64, Accuracy.FMA, volta)) {
      assertThat(((RowStream) kernel).tile().copiesAhead()).isFalse();
    }
    assertThat(kernels(4, ElementType.F64, Accuracy.FMA, volta)).isNotEmpty();
  }

  @Test
  void onlyThoseStreamSingleSteps() {
    for (int radius = 1; radius <= 4; radius++) {
      List<Integer> steps =
          kernels(radius, ElementType.F64, Accuracy.FMA, DeviceTraits.H200).stream()
              .map(FusedKernel::steps)
              .toList();
      assertThat(steps.contains(1)).as("radius " + radius).isEqualTo(radius == 4);
    }
  }
}
