/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class AwaitedFailureTest {
  @Test
  void throwsWhatTheOtherThreadFailedWith() {
    for (Throwable cause :
        List.of(
            new BadDataException("cells"), new OutOfMemoryError("heap"), new IOException("file"))) {
      assertThatThrownBy(() -> AwaitedFailure.of(new ExecutionException(cause))).isSameAs(cause);
      assertThatThrownBy(() -> AwaitedFailure.of(new CompletionException(cause))).isSameAs(cause);
    }
  }
}
