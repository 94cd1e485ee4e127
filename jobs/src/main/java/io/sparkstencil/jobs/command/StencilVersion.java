/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.apache.spark.package$;
import picocli.CommandLine.IVersionProvider;

/** What {@code stencil --version} says: the versions that were built together. */
public final class StencilVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "Spark Stencil %s, Spark %s, Java %s".formatted(ofProject(), ofSpark(), Runtime.version())
    };
  }

  /** Returns this project's version. */
  public static String ofProject() {
    return built("version");
  }

  /** Returns the version of JCuda that is packed with us. */
  public static String ofJcuda() {
    return built("jcuda");
  }

  /** Returns the version of the Spark on the class path. */
  public static String ofSpark() {
    return package$.MODULE$.SPARK_VERSION();
  }

  private static String built(String key) {
    try (InputStream in = StencilVersion.class.getResourceAsStream("build.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty(key);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read build.properties", e);
    }
  }
}
