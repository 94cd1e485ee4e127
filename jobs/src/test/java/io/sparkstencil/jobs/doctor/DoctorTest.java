/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.cpu.CpuEngineProvider;
import io.sparkstencil.cpu.PassKind;
import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.StencilEngine;
import io.sparkstencil.error.EngineUnavailableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the doctor makes of what engines say of themselves. */
final class DoctorTest {
  /**
   * An engine on a machine where the driver layer has given an answer.
   *
   * @param reason why it cannot be used, or null
   */
  private record OnMachine(String reason) implements EngineProvider {
    @Override
    public String name() {
      return "gpu";
    }

    @Override
    public int rank() {
      return 200;
    }

    @Override
    public Optional<String> unavailableReason() {
      return Optional.ofNullable(reason);
    }

    @Override
    public List<String> devices() {
      return reason == null ? List.of("0", "1") : List.of();
    }

    @Override
    public StencilEngine open(Map<String, String> options) {
      throw new EngineUnavailableException(reason);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "the NVIDIA driver supports CUDA 9.2, but 10.0 is the lowest that our kernels need; install driver 410.48 or newer",
        "the native library of JCuda is not on the class path; use the complete Spark Stencil jar",
        "there is no NVIDIA driver here: libcuda.so.1 cannot be loaded; install the driver, or in a container run with the NVIDIA runtime"
      })
  void tellsWhyTheGpuIsNotUsedAndWhatToDo(String reason) {
    Check check = Doctor.engine(new OnMachine(reason));

    assertThat(check.state()).isEqualTo(Check.State.MISSING);
    assertThat(check.subject()).isEqualTo("Engine gpu");
    assertThat(check.finding()).isEqualTo(reason);
    assertThat(check.remedy()).contains("auto uses the next engine");
  }

  @Test
  void namesTheDevicesOfAnEngineThatWorks() {
    assertThat(Doctor.engine(new OnMachine(null)))
        .isEqualTo(Check.ok("Engine gpu", "works on devices 0, 1, rank 200 under auto"));
    assertThat(Doctor.engine(new CpuEngineProvider()).finding())
        .isEqualTo("works, rank 100 under auto");
  }

  @Test
  void tellsWhyVectorsAreNotUsed() {
    PassKind loops = new PassKind(false, "plain loops (a reason)");

    Check check = Doctor.vectors(loops, "/jdk");

    assertThat(check.state()).isEqualTo(Check.State.MISSING);
    assertThat(check.finding()).isEqualTo("plain loops (a reason)");
    assertThat(check.remedy()).contains("the CPU engine is slower").contains("JDK 17 to 25");
    assertThat(Doctor.vectors(new PassKind(true, "vectors of 512 bits"), "/jdk"))
        .isEqualTo(Check.ok("Vector API", "vectors of 512 bits"));
  }

  @Test
  void tellsThatHadoopReachesNoFilesAndTheWayOut() {
    Check check = Doctor.hadoop(Optional.of("Hadoop 3.4.2 cannot reach files on Java 25"));

    assertThat(check.state()).isEqualTo(Check.State.BROKEN);
    assertThat(check.finding()).isEqualTo("Hadoop 3.4.2 cannot reach files on Java 25");
    assertThat(check.remedy()).contains("JDK 17 or 21").contains("Spark 4.2");
    assertThat(Doctor.hadoop(Optional.empty()).state()).isEqualTo(Check.State.OK);
  }
}
