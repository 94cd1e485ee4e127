/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the environment file of standalone workers makes of what it finds on a host. */
class WorkerEnvironmentTest {
  private static final Path HOME = Path.of(System.getProperty("stencil.home"));

  @TempDir Path folder;

  private void installNvidiaSmi(int gpus) throws IOException {
    StringBuilder script = new StringBuilder("#!/bin/sh\n");
    for (int gpu = 0; gpu < gpus; gpu++) {
      script.append("echo 'GPU %d: NVIDIA H200 (UUID: GPU-%d)'\n".formatted(gpu, gpu));
    }
    Path fake = Files.writeString(folder.resolve("nvidia-smi"), script);
    assertThat(fake.toFile().setExecutable(true)).isTrue();
  }

  /** Sources the file as Spark's scripts do and returns the options of the worker's JVM. */
  private String workerOptions(String before, Map<String, String> environment) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            "bash",
            "-c",
            "set -a; . \"$0\"; set +a; echo \"$SPARK_WORKER_OPTS\"",
            HOME.resolve("conf/standalone/spark-env.sh").toString());
    Map<String, String> variables = new HashMap<>(environment);
    variables.put("STENCIL_HOME", HOME.toString());
    variables.put("STENCIL_DEVICE_FOLDER", folder.toString());
    variables.put("SPARK_WORKER_OPTS", before);
    variables.put("PATH", folder + ":/usr/bin:/bin");
    builder.environment().clear();
    builder.environment().putAll(variables);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    return output.strip();
  }

  @Test
  void offersAllGpusOrAsManyAsAreSaid() throws Exception {
    installNvidiaSmi(3);
    String script =
        " -Dspark.worker.resource.gpu.discoveryScript=" + HOME.resolve("conf/gpu-discovery.sh");
    assertThat(workerOptions("-Da=b", Map.of()))
        .isEqualTo("-Da=b -Dspark.worker.resource.gpu.amount=3" + script);
    assertThat(workerOptions("", Map.of("STENCIL_WORKER_GPUS", "1")))
        .isEqualTo("-Dspark.worker.resource.gpu.amount=1" + script);
  }

  @Test
  void offersNothingWhereThereIsNoGpu() throws Exception {
    installNvidiaSmi(0);
    assertThat(workerOptions("-Da=b", Map.of())).isEqualTo("-Da=b");
  }

  @Test
  void offersTheAddressesOfItsOwnFile() throws Exception {
    installNvidiaSmi(4);
    Path file = HOME.resolve("conf/standalone/worker-resources.json");
    assertThat(workerOptions("", Map.of("STENCIL_WORKER_RESOURCES", file.toString())))
        .isEqualTo(
            "-Dspark.worker.resource.gpu.amount=2 -Dspark.worker.resourcesFile=%s".formatted(file));
  }
}
