/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen.program.boxes;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.kernels.codegen.PtxAssembler;
import io.sparkstencil.kernels.codegen.program.BoxText;
import io.sparkstencil.kernels.codegen.program.FusedKernel;
import io.sparkstencil.kernels.codegen.program.fused.FusedKernels;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.ProgramTraits;
import io.sparkstencil.program.text.ProgramText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BoxStreamsTest {
  private static final FusedKernel.Layout LARGE =
      new FusedKernel.Layout(List.of(16_384, 16_384), 16_384);

  private static ProgramTraits traits(String text, Accuracy accuracy) {
    return ProgramTraits.of(ProgramText.parse(text, 2).withAccuracy(accuracy));
  }

  private static boolean takesTensorCores(
      String text, Accuracy accuracy, ElementType type, DeviceTraits device) {
    List<FusedKernel> kernels =
        FusedKernels.candidates(traits(text, accuracy), type, LARGE, device);
    boolean first = !kernels.isEmpty() && kernels.get(0) instanceof BoxStream;
    assertThat(kernels.stream().anyMatch(BoxStream.class::isInstance)).isEqualTo(first);
    return first;
  }

  @ParameterizedTest
  @CsvSource({"1, false", "2, false", "3, false", "4, true", "5, true", "6, false"})
  void thoseAreTakenThatAreCountedTheFastest(int radius, boolean taken) {
    assertThat(
            takesTensorCores(
                BoxText.ofRadius(radius), Accuracy.FMA, ElementType.F64, DeviceTraits.H200))
        .isEqualTo(taken);
  }

  @Test
  void othersThanFusedDoublesOnHopperTakeNone() {
    String box = BoxText.ofRadius(4);
    DeviceTraits hopper = DeviceTraits.H200;
    assertThat(takesTensorCores(box, Accuracy.EXACT, ElementType.F64, hopper)).isFalse();
    assertThat(takesTensorCores(box, Accuracy.FMA, ElementType.F32, hopper)).isFalse();
    assertThat(takesTensorCores(box, Accuracy.FMA, ElementType.F64, hopper.withTensorCores(false)))
        .isFalse();
    for (int capability : new int[] {70, 80, 100, 120}) {
      DeviceTraits other = new DeviceTraits(capability, hopper.sharedBytesPerBlock());
      assertThat(takesTensorCores(box, Accuracy.FMA, ElementType.F64, other)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "u' = %s; v' = v[0,1]",
        "u' = %s + dt*u",
        "u' = %s + v",
        "u' = 0.5*u[5,0] + %s",
        "u' = max(%s, u)",
        "v' = 2*v; u' = %s + 0.1*v'"
      })
  void programsThatAreMoreThanABoxTakeNone(String text) {
    ProgramTraits more = traits(text.formatted(BoxText.ofRadius(4).substring(5)), Accuracy.FMA);
    assertThat(BoxStreams.take(more, ElementType.F64)).isFalse();
  }

  /** All cells of a box need not be there. */
  @Test
  void sumsInTheOrderOfMemoryAreBoxes() {
    String text = "u' = 0.1*u[-4,-4] + 0.2*u[-4,3] + 0.3*u[0,0] + 0.1*u[4,-2]";
    assertThat(BoxStreams.take(traits(text, Accuracy.FMA), ElementType.F64)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {4, 5})
  void noneSpills(int radius) {
    ProgramTraits box = traits(BoxText.ofRadius(radius), Accuracy.FMA);
    String text = new BoxTile(WeightedBox.of(box).orElseThrow()).generate().ptx();
    PtxAssembler.Report report = PtxAssembler.bundled(text, 90);
    assertThat(report.accepted()).as(report.log()).isTrue();
    assertThat(report.spilledBytes()).isZero();
  }

  @Test
  void arraysThatAreTooSmallHaveNone() {
    ProgramTraits box = traits(BoxText.ofRadius(4), Accuracy.FMA);
    for (List<Integer> sizes : List.of(List.of(20, 1024), List.of(1024, 255))) {
      FusedKernel.Layout small = new FusedKernel.Layout(sizes, 1024);
      assertThat(BoxStreams.of(box, ElementType.F64, small, DeviceTraits.H200)).isEmpty();
    }
  }
}
