/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Work that is cancelled ends soon and leaves nothing, on engines that need no GPU. */
final class RandomCancellationSparkTest {
  private static RandomCancellation cases;

  @BeforeAll
  static void start() throws InterruptedException {
    cases = new RandomCancellation();
  }

  @AfterAll
  static void stop() {
    cases.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "reference"})
  void endsSoonAndLeavesNothing(String engine) throws InterruptedException {
    cases.requireEndsSoonAndLeavesNothing(engine);
  }
}
