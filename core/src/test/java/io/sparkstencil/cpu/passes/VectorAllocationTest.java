/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cpu.passes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Vectors stay out of the heap, whatever has run before. */
final class VectorAllocationTest {
  @Test
  void passesOfAllKindsInOneJvmLeaveNoObjects() throws IOException, InterruptedException {
    assertThat(FreshJvm.run(VectorAllocations.class, List.of())).isEmpty();
  }
}
