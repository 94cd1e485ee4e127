/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.conf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.StencilPlugin;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfFilesTest {
  private static final Path CONF = Path.of(System.getProperty("stencil.home"), "conf");

  /** Reads a file as spark-submit does. */
  private static Map<String, String> defaults(String file) throws IOException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(CONF.resolve(file))) {
      properties.load(reader);
    }
    Map<String, String> values = new HashMap<>();
    properties.forEach((key, value) -> values.put((String) key, ((String) value).strip()));
    return values;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spark-defaults.conf.template",
        "local/spark-defaults.conf",
        "standalone/spark-defaults.conf",
        "yarn/spark-defaults.conf",
        "kubernetes/spark-defaults.conf"
      })
  void everyDeploymentLoadsThePluginWithKnownOptions(String file) throws IOException {
    Map<String, String> values = defaults(file);
    assertThat(values).containsEntry("spark.plugins", StencilPlugin.class.getName());
    assertThat(values.keySet()).allMatch(key -> key.startsWith("spark."));
    assertThat(new StencilConf(values)).isEqualTo(StencilConf.DEFAULTS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "standalone/spark-defaults.conf",
        "yarn/spark-defaults.conf",
        "kubernetes/spark-defaults.conf"
      })
  void allCoresOfAnExecutorShareItsGpu(String file) throws IOException {
    Map<String, String> values = defaults(file);
    double share = Double.parseDouble(values.get("spark.task.resource.gpu.amount"));
    int cores = Integer.parseInt(values.get("spark.executor.cores"));
    int gpus = Integer.parseInt(values.get("spark.executor.resource.gpu.amount"));
    assertThat((int) Math.floor(1 / share) * gpus).isEqualTo(cores);
    assertThat(values).containsEntry("spark.excludeOnFailure.enabled", "true");
  }

  @Test
  void localModeSchedulesNoResources() throws IOException {
    assertThat(defaults("local/spark-defaults.conf").keySet())
        .noneMatch(key -> key.contains(".resource."));
  }

  @Test
  void sparkReadsTheWorkerResourceFile() {
    List<String> addresses =
        scala.jdk.javaapi.CollectionConverters.asJava(
                org.apache.spark.resource.ResourceUtils.parseAllocatedFromJsonFile(
                    CONF.resolve("standalone/worker-resources.json").toString()))
            .stream()
            .filter(allocation -> allocation.id().componentName().equals("spark.worker"))
            .filter(allocation -> allocation.id().resourceName().equals("gpu"))
            .flatMap(
                allocation ->
                    scala.jdk.javaapi.CollectionConverters.asJava(allocation.addresses()).stream())
            .toList();
    assertThat(addresses).containsExactly("0", "1");
  }

  @Test
  void operationsExplainEveryFile() throws IOException {
    String operations = Files.readString(CONF.resolveSibling("docs").resolve("operations.md"));
    try (Stream<Path> files = Files.walk(CONF)) {
      files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals("log4j2.properties") && !name.equals("executor-pod.yaml"))
          .forEach(name -> assertThat(operations).contains(name));
    }
    assertThat(operations).contains("pod template");
  }
}
