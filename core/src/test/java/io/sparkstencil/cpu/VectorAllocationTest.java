/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Vectors stay out of the heap, whatever has run before. */
final class VectorAllocationTest {
  @Test
  void passesOfAllKindsInOneJvmLeaveNoObjects() throws IOException, InterruptedException {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules=jdk.incubator.vector",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                VectorAllocations.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String found = new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(jvm.waitFor()).as(found).isZero();
    assertThat(found).isEmpty();
  }
}
