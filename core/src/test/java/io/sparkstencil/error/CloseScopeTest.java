/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CloseScopeTest {
  private final List<String> closed = new ArrayList<>();

  /** Something that notes when it is closed, and then fails if {@code failure} is not null. */
  private AutoCloseable named(String name, Exception failure) {
    return () -> {
      closed.add(name);
      if (failure != null) {
        throw failure;
      }
    };
  }

  @Test
  void closesTheLastOneFirstAndOnce() {
    CloseScope scope = new CloseScope();
    scope.add(named("a", null));
    scope.add(named("b", null));
    scope.close();
    scope.close();
    assertThat(closed).containsExactly("b", "a");
  }

  @Test
  void closesAllAndThrowsTheFirstFailureWithTheOthersSuppressed() {
    RuntimeException first = new IllegalStateException("first");
    IOException second = new IOException("second");
    CloseScope scope = new CloseScope();
    scope.add(named("a", second));
    scope.add(named("b", null));
    scope.add(named("c", first));
    assertThatThrownBy(scope::close).isSameAs(first).hasSuppressedException(second);
    assertThat(closed).containsExactly("c", "b", "a");
  }

  @Test
  void closesAListInItsOrder() {
    RuntimeException failure = new IllegalStateException("of both");
    List<AutoCloseable> closing = List.of(named("a", failure), named("b", failure));
    assertThatThrownBy(() -> CloseScope.closeAll(closing)).isSameAs(failure);
    assertThat(failure.getSuppressed()).isEmpty();
    assertThat(closed).containsExactly("a", "b");
  }

  @Test
  void wrapsCheckedExceptions() {
    IOException cause = new IOException("disk");
    assertThatThrownBy(() -> CloseScope.closeAll(List.of(named("a", cause))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("disk")
        .hasCause(cause);
  }

  @Test
  void keepsTheFailureThatLedToClosing() {
    RuntimeException whileClosing = new IllegalStateException("while closing");
    IOException failure = new IOException("before");
    CloseScope scope = new CloseScope();
    scope.add(named("a", null));
    scope.add(named("b", whileClosing));
    assertThat(scope.closeAfter(failure)).isSameAs(failure).hasSuppressedException(whileClosing);
    assertThat(closed).containsExactly("b", "a");
    assertThatCode(scope::close).doesNotThrowAnyException();
  }

  @Test
  void errorsDoNotKeepOthersOpen() {
    Error failure = new AssertionError("broken");
    AutoCloseable broken =
        () -> {
          throw failure;
        };
    CloseScope scope = new CloseScope();
    scope.add(named("a", null));
    scope.add(broken);
    assertThatThrownBy(scope::close).isSameAs(failure);
    assertThat(closed).containsExactly("a");
  }
}
