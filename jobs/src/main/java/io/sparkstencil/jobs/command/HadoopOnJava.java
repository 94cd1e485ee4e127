/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.VersionInfo;

/**
 * Whether the Hadoop that Spark brings runs on this JVM. Before it reads or writes a file, Hadoop
 * asks who its user is; versions before 3.5 do so by what Java 24 and later refuse.
 */
public final class HadoopOnJava {
  /** What helps where it does not. */
  public static final String REMEDY =
      "set JAVA_HOME to JDK 17 or 21, or use Spark 4.2, whose Hadoop runs on Java 25 too";

  private HadoopOnJava() {}

  /** What makes Hadoop say who its user is. */
  @FunctionalInterface
  interface Question {
    /** Asks. */
    Object ask() throws IOException;
  }

  /** Returns Hadoop's version. */
  public static String version() {
    return VersionInfo.getVersion();
  }

  /** Returns why Hadoop does not run here, or nothing if it does. */
  public static Optional<String> reasonAgainst() {
    return reasonAgainst(UserGroupInformation::getCurrentUser);
  }

  static Optional<String> reasonAgainst(Question question) {
    try {
      question.ask();
      return Optional.empty();
    } catch (UnsupportedOperationException e) {
      return Optional.of(
          "Hadoop %s, which is a part of Spark %s, cannot reach files on Java %d: %s"
              .formatted(
                  version(),
                  StencilVersion.ofSpark(),
                  Runtime.version().feature(),
                  e.getMessage()));
    } catch (IOException e) {
      return Optional.empty(); // a user without a name, of which Spark says more
    }
  }

  /**
   * Requires that Hadoop runs here.
   *
   * @throws StencilException if it does not
   */
  static void require() {
    reasonAgainst()
        .ifPresent(
            reason -> {
              throw new StencilException(ErrorCode.ENGINE_UNAVAILABLE, reason + "; " + REMEDY);
            });
  }
}
