/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import io.sparkstencil.testkit.MissingClasses;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Spark within the test's process, for one test class; the command under test joins it. */
public final class TestSpark implements BeforeAllCallback, AfterAllCallback {
  private SparkSession session;

  public SparkSession session() {
    return session;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (SparkEnv.get() != null) {
      throw new IllegalStateException("the test before has left Spark running");
    }
    MissingClasses.remember();
    session =
        SparkSession.builder()
            .master("local[2]")
            .appName(context.getDisplayName())
            .config("spark.ui.enabled", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.shuffle.partitions", "4")
            // Or generated code asks the session's own loader for each class, over the network.
            .config("spark.sql.artifact.isolation.enabled", "false")
            // Spark describes each plan in words for its user interface; few of them are quick.
            .config("spark.sql.ui.explainMode", "simple")
            .config("spark.sql.debug.maxToStringFields", "3")
            .getOrCreate();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    session.stop();
  }
}
