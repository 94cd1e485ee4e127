/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Frame;
import io.sparkstencil.model.Stencil;
import io.sparkstencil.model.StencilSpec;
import io.sparkstencil.pipeline.PartitionPipeline;
import io.sparkstencil.segment.Segment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The engine in a JVM that was started without the module of the Vector API. */
class CpuEngineWithoutVectorsTest {
  /** What the other JVM runs. */
  static final class OtherMachine {
    public static void main(String[] arguments) {
      try (CpuEngine engine = new CpuEngine(Map.of());
          PartitionPipeline<Segment<Void>, ?, Segment<Void>> pipeline =
              PartitionPipeline.ofSegments(
                  engine,
                  List.of(new StencilSpec(Stencil.min(Frame.radius(1)), ElementType.F32)),
                  1)) {
        Segment<Void> segment = Segment.series(null, new float[] {3, 1, 2, 5, 4}, 1);
        pipeline.run(List.of(segment).iterator()).next();
        System.out.println(engine.description());
        System.out.println(Arrays.toString((float[]) segment.result(0, ElementType.F32)));
      }
      try {
        new CpuEngine(Map.of("spark.stencil.cpu.vectors", "true")).close();
      } catch (InvalidStencilException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  @Test
  void runsPlainLoopsAndSaysWhy() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                OtherMachine.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output).isTrue();
    assertThat(output.lines())
        .hasSize(3)
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .contains("plain loops")
                    .contains("--add-modules=jdk.incubator.vector"),
            line -> assertThat(line).isEqualTo("[1.0, 1.0, 1.0, 2.0, 4.0]"),
            line ->
                assertThat(line)
                    .contains("spark.stencil.cpu.vectors=true")
                    .contains("no module jdk.incubator.vector"));
    assertThat(process.exitValue()).isZero();
  }
}
