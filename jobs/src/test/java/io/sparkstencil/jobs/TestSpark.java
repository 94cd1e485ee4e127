/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import io.sparkstencil.testkit.MissingClasses;
import io.sparkstencil.testkit.SmallQueries;
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
            .config(SmallQueries.SETTINGS)
            .config("spark.sql.session.timeZone", "UTC")
            .getOrCreate();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    session.stop();
  }
}
