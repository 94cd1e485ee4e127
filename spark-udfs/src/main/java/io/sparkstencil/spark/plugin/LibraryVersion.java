/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.plugin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of this library, which the build writes into its jar. */
final class LibraryVersion {
  private static final String RESOURCE = "/io/sparkstencil/spark/version.properties";

  private LibraryVersion() {}

  /** Returns the version. */
  static String ofLibrary() {
    try (InputStream in = LibraryVersion.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("there is no %s in the jar".formatted(RESOURCE));
      }
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
