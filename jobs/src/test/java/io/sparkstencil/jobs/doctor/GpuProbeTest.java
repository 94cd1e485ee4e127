/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GpuProbeTest {
  @TempDir private Path root;

  @Test
  void saysThatThereIsNoDriverAndWhatRunsInstead() {
    Check driver = find("GPU driver");

    assertThat(driver.state()).isEqualTo(Check.State.MISSING);
    assertThat(driver.finding()).isEqualTo("no NVIDIA driver on this machine");
    assertThat(driver.remedy()).contains("CPU engine");
    assertThat(find("GPUs").state()).isEqualTo(Check.State.MISSING);
  }

  @Test
  void readsDriverAndDevices() throws IOException {
    write(
        "proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX Module  570.1\nGCC version: 12\n");
    write("proc/driver/nvidia/gpus/0000:01:00.0/information", "Model: \t NVIDIA T4\nIRQ: 3\n");
    write("usr/lib64/libcuda.so.1", "");

    assertThat(find("GPU driver").state()).isEqualTo(Check.State.OK);
    assertThat(find("GPU driver").finding())
        .contains("NVIDIA UNIX Module  570.1")
        .contains("usr/lib64/libcuda.so.1");
    assertThat(find("GPUs")).isEqualTo(Check.ok("GPUs", "NVIDIA T4"));
  }

  @Test
  void tellsAContainerWithoutTheDriversLibraries() throws IOException {
    write("proc/driver/nvidia/version", "NVRM version: 570.1\n");

    Check driver = find("GPU driver");
    assertThat(driver.state()).isEqualTo(Check.State.MISSING);
    assertThat(driver.finding()).contains("no libcuda.so.1");
    assertThat(driver.remedy()).contains("container");
  }

  private Check find(String subject) {
    List<Check> checks = new GpuProbe(root).checks();
    return checks.stream().filter(check -> check.subject().equals(subject)).findFirst().get();
  }

  private void write(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }
}
