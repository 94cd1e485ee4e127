/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.conf;

import io.sparkstencil.conf.ConfigOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Writes what is said about options anywhere: {@code docs} and {@code conf} of the project. */
public final class ConfigDocs {
  private static final int LINE = 96;

  private ConfigDocs() {}

  /** Writes the files below the project's folder, the only argument. */
  public static void main(String[] arguments) throws IOException {
    Path project = Path.of(arguments[0]);
    for (Map.Entry<String, String> file : files().entrySet()) {
      Files.writeString(project.resolve(file.getKey()), file.getValue());
      System.out.println("written " + project.resolve(file.getKey()));
    }
  }

  /** Returns the contents of the files by their paths below the project's folder. */
  static Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("docs/configuration.md", page());
    files.put("conf/spark-defaults.conf.template", template());
    return files;
  }

  private static String page() {
    StringBuilder text =
        new StringBuilder(
            """
            # Configuration

            <!-- Written by io.sparkstencil.spark.conf.ConfigDocs from StencilOptions; edit there. -->

            Options are Spark configuration values: `--conf KEY=VALUE`, `spark-defaults.conf`, or, for
            those read for each query, `spark.conf().set(KEY, VALUE)`. An unknown `spark.stencil.*` key and
            a value out of range are errors: with `spark.plugins=io.sparkstencil.spark.StencilPlugin` when
            the application starts, else in the first query that reads the options. How to set up
            clusters is described in [operations.md](operations.md).

            | Option | Type | Range | Default | Read at | Since |
            |---|---|---|---|---|---|
            """);
    for (ConfigOption<?> option : StencilOptions.ALL) {
      text.append(
          "| [`%s`](#%s) | %s | %s | %s | %s | %s |\n"
              .formatted(
                  option.key(),
                  anchor(option),
                  option.typeLabel(),
                  option.rangeLabel().isEmpty() ? "any" : option.rangeLabel(),
                  option.defaultText().isEmpty() ? "empty" : "`" + option.defaultText() + "`",
                  option.scope().label(),
                  option.since()));
    }
    for (ConfigOption<?> option : StencilOptions.ALL) {
      text.append("\n## %s\n\n%s\n".formatted(option.key(), wrap(option.doc(), "")));
    }
    return text.toString();
  }

  /** Returns the fragment that Markdown viewers give a heading. */
  private static String anchor(ConfigOption<?> option) {
    return option.key().replace(".", "").toLowerCase(Locale.ROOT);
  }

  private static String template() {
    StringBuilder text =
        new StringBuilder(
            """
            # Spark Stencil's part of spark-defaults.conf. Written by io.sparkstencil.spark.conf.ConfigDocs
            # from StencilOptions; edit there. Lines that begin with # show defaults.

            spark.plugins                        io.sparkstencil.spark.StencilPlugin

            # Indices of GPUs in the order of nvidia-smi, on hosts whose GPUs differ.
            spark.executorEnv.CUDA_DEVICE_ORDER  PCI_BUS_ID
            """);
    for (ConfigOption<?> option : StencilOptions.ALL) {
      text.append("\n%s\n".formatted(wrap(option.doc(), "# ")));
      if (!option.rangeLabel().isEmpty()) {
        text.append("# In %s.\n".formatted(option.rangeLabel()));
      }
      text.append("# %-34s %s".formatted(option.key(), option.defaultText()).stripTrailing())
          .append("\n");
    }
    return text.toString();
  }

  private static String wrap(String doc, String prefix) {
    StringBuilder text = new StringBuilder();
    StringBuilder line = new StringBuilder(prefix);
    for (String word : doc.split(" ", -1)) {
      if (line.length() + word.length() > LINE && line.length() > prefix.length()) {
        text.append(line.toString().stripTrailing()).append("\n");
        line.setLength(0);
        line.append(prefix);
      }
      line.append(word).append(' ');
    }
    return text.append(line.toString().stripTrailing()).toString();
  }
}
