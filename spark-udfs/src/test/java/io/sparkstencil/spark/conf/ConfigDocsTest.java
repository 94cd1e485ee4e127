/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.conf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.conf.ConfigOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigDocsTest {
  private static final String REMEDY =
      "stale; in the project's folder run: java -cp"
          + " core/target/classes:kernels/target/classes:spark-runtime/target/classes:spark-udfs/target/classes:spark-udfs/target/test-classes"
          + " io.sparkstencil.spark.conf.ConfigDocs .";

  @TempDir Path folder;

  @Test
  void filesAreCurrent() throws IOException {
    Path project = Path.of(System.getProperty("stencil.home"));
    for (Map.Entry<String, String> file : ConfigDocs.files().entrySet()) {
      assertThat(project.resolve(file.getKey())).as(file.getKey() + " is " + REMEDY).exists();
      assertThat(Files.readString(project.resolve(file.getKey())))
          .as(file.getKey() + " is " + REMEDY)
          .isEqualTo(file.getValue());
    }
  }

  @Test
  void filesNameEveryOption() {
    for (Map.Entry<String, String> file : ConfigDocs.files().entrySet()) {
      for (ConfigOption<?> option : StencilOptions.ALL) {
        assertThat(file.getValue()).contains(option.key());
      }
    }
  }

  @Test
  void mainWritesTheFiles() throws IOException {
    Files.createDirectories(folder.resolve("docs"));
    Files.createDirectories(folder.resolve("conf"));
    ConfigDocs.main(new String[] {folder.toString()});
    for (Map.Entry<String, String> file : ConfigDocs.files().entrySet()) {
      assertThat(folder.resolve(file.getKey())).hasContent(file.getValue());
    }
  }
}
