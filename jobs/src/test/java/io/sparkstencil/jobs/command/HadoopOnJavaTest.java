/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class HadoopOnJavaTest {
  @Test
  void tellsWhichPartsDoNotGoTogether() {
    String reason =
        HadoopOnJava.reasonAgainst(
                () -> {
                  throw new UnsupportedOperationException("getSubject is not supported");
                })
            .orElseThrow();

    assertThat(reason)
        .isEqualTo(
            "Hadoop %s, which is a part of Spark %s, cannot reach files on Java %d: getSubject is not supported",
            HadoopOnJava.version(), StencilVersion.ofSpark(), Runtime.version().feature());
  }

  @Test
  void leavesOtherFailuresToThoseWhoMeetThem() {
    assertThat(
            HadoopOnJava.reasonAgainst(
                () -> {
                  throw new IOException("a user without a name");
                }))
        .isEmpty();
  }

  @Test
  void asksHadoopItself() {
    // What Java 24 and later refuse, Hadoop 3.5 does not ask for.
    boolean old = HadoopOnJava.version().matches("3\\.[0-4]\\..*");

    assertThat(HadoopOnJava.reasonAgainst().isPresent())
        .isEqualTo(old && Runtime.version().feature() >= 24);
  }
}
