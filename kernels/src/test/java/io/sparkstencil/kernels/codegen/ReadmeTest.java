/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The walk through one stencil in the module's README, step by step. */
class ReadmeTest {
  private static final Path README = Path.of("README.md");

  @Test
  void whatItSaysOfTheThreePointMeanIsTrue() throws IOException {
    StencilSpec spec = new StencilSpec(Stencil.mean(Frame.radius(1)), ElementType.F32);
    FlatStencil what = FlatStencil.of(spec, 0, false);
    KernelSchedule how = ScheduleSelector.select(DeviceTraits.H200, what);
    KernelVariant variant = new KernelVariant(what, how);
    String ptx = KernelGenerator.generate(variant).ptx();
    String readme = Files.readString(README);
    assertThat(readme).contains(what.label(), how.label(), variant.entryName() + ".ptx");
    List<String> instructions =
        readme.lines().filter(line -> line.startsWith("  ") && line.endsWith(";")).toList();
    assertThat(instructions).hasSizeGreaterThan(12);
    assertThat(instructions)
        .allSatisfy(line -> assertThat(ptx).contains(line.strip().replace("{ %", "{%")));
  }
}
