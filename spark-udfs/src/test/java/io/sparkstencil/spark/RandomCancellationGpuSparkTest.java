/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import io.sparkstencil.testkit.RequiresGpu;
import org.junit.jupiter.api.Test;

/** Work on a GPU that is cancelled ends soon and leaves nothing. */
@RequiresGpu
final class RandomCancellationGpuSparkTest {
  @Test
  void endsSoonAndLeavesNothing() throws InterruptedException {
    try (RandomCancellation cases = new RandomCancellation()) {
      cases.requireEndsSoonAndLeavesNothing("gpu");
    }
  }
}
