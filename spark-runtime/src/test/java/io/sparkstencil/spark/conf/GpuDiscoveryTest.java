/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.resource.ResourceInformation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the script with a PATH on which there is nothing but what the test puts there. */
class GpuDiscoveryTest {
  private static final String TWO_GPUS =
      """
      GPU 0: NVIDIA H200 (UUID: GPU-11111111-2222-3333-4444-555555555555)
      GPU 1: NVIDIA H200 (UUID: GPU-66666666-7777-8888-9999-000000000000)
      """;

  @TempDir Path folder;
  private Path tools;
  private Path devices;
  private String notes;

  @BeforeEach
  void createFolders() throws IOException {
    tools = Files.createDirectory(folder.resolve("tools"));
    devices = Files.createDirectory(folder.resolve("devices"));
  }

  private void installNvidiaSmi(String output, int exitCode) throws IOException {
    Path fake = tools.resolve("nvidia-smi");
    Files.writeString(fake, "#!/bin/sh\necho '%s'\nexit %d\n".formatted(output.strip(), exitCode));
    assertThat(fake.toFile().setExecutable(true)).isTrue();
  }

  /** Returns the addresses as Spark reads them. */
  private String[] discover(Map<String, String> environment) throws Exception {
    Path script = Path.of(System.getProperty("stencil.home"), "conf", "gpu-discovery.sh");
    assertThat(Files.isExecutable(script)).isTrue();
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", script.toString());
    builder.environment().clear();
    builder.environment().put("PATH", tools.toString());
    builder.environment().put("STENCIL_DEVICE_FOLDER", devices.toString());
    builder.environment().putAll(environment);
    Path errors = folder.resolve("errors");
    builder.redirectError(errors.toFile());
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    notes = Files.readString(errors);
    ResourceInformation found = ResourceInformation.parseJson(output);
    assertThat(found.name()).isEqualTo("gpu");
    return found.addresses();
  }

  @Test
  void findsAllGpus() throws Exception {
    installNvidiaSmi(TWO_GPUS, 0);
    assertThat(discover(Map.of())).containsExactly("0", "1");
    assertThat(notes).isEmpty();
  }

  @Test
  void findsNoneWithoutDriverAndSaysSo() throws Exception {
    assertThat(discover(Map.of())).isEmpty();
    assertThat(notes).contains("neither nvidia-smi");
  }

  @Test
  void countsDeviceFilesWithoutNvidiaSmi() throws Exception {
    for (String file : new String[] {"nvidia0", "nvidia1", "nvidia2", "nvidiactl", "nvidia-uvm"}) {
      Files.createFile(devices.resolve(file));
    }
    assertThat(discover(Map.of())).containsExactly("0", "1", "2");
  }

  @ParameterizedTest
  @CsvSource({
    "'NVIDIA-SMI has failed because it could not communicate with the NVIDIA driver.', 9",
    "'No devices were found', 6",
    "'No devices were found', 0",
    "'Failed to initialize NVML: Driver/library version mismatch', 18",
    "'\"quotes\" $(and) `more` \\ 100%', 1",
    "'', 0"
  })
  void saysWhatTheDriverSaidWhereItFails(String output, int exitCode) throws Exception {
    installNvidiaSmi(output, exitCode);
    assertThat(discover(Map.of())).isEmpty();
    assertThat(notes).contains("lists no GPU (exit code " + exitCode + ")");
  }

  @Test
  void leavesOutGpusThatDoNotAnswer() throws Exception {
    installNvidiaSmi(
        "Unable to determine the device handle for gpu 0000:01:00.0: Unknown Error\n" + TWO_GPUS,
        0);
    assertThat(discover(Map.of())).containsExactly("0", "1");
  }

  @ParameterizedTest
  @CsvSource({
    "'0', 1",
    "'1', 1",
    "'1,0', 2",
    "'', 0",
    "'-1', 0",
    "'0,-1,1', 1",
    "'0,7', 1",
    "'NoDevFiles', 0",
    "'GPU-66666666-7777-8888-9999-000000000000', 1"
  })
  void numbersWhatCudaShowsFromZero(String visible, int count) throws Exception {
    installNvidiaSmi(TWO_GPUS, 0);
    assertThat(discover(Map.of("CUDA_VISIBLE_DEVICES", visible))).hasSize(count);
    if (count > 0) {
      assertThat(discover(Map.of("CUDA_VISIBLE_DEVICES", visible))[0]).isEqualTo("0");
    }
  }

  @Test
  void oneMigInstanceForAProcess() throws Exception {
    installNvidiaSmi(
        """
        GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-11111111-2222-3333-4444-555555555555)
          MIG 3g.20gb Device 0: (UUID: MIG-aaaaaaaa-2222-3333-4444-555555555555)
          MIG 3g.20gb Device 1: (UUID: MIG-bbbbbbbb-2222-3333-4444-555555555555)
        """,
        0);
    assertThat(discover(Map.of())).containsExactly("0");
    assertThat(notes).contains("2 MIG instances").contains("CUDA_VISIBLE_DEVICES");
    assertThat(discover(Map.of("CUDA_VISIBLE_DEVICES", "MIG-bbbbbbbb-2222-3333-4444-555555555555")))
        .containsExactly("0");
  }
}
