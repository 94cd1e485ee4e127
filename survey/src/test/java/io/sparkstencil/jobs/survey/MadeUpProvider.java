/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey;

import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.survey.DeviceSurvey;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Finding;
import io.sparkstencil.survey.SurveyProvider;
import io.sparkstencil.survey.SurveyedDevice;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Experiments with devices that do not exist.
 *
 * @param reason why it cannot be used, or null
 * @param failing the experiment that fails, or null
 * @param slow the address of a device with half the speed, or null
 */
public record MadeUpProvider(String reason, String failing, String slow) implements SurveyProvider {
  @Override
  public Optional<String> unavailableReason() {
    return Optional.ofNullable(reason);
  }

  @Override
  public List<String> devices() {
    return List.of("0", "1", "2");
  }

  @Override
  public List<Experiment> experiments() {
    return MadeUpSurvey.EXPERIMENTS;
  }

  @Override
  public DeviceSurvey openSurvey(Map<String, String> options) {
    String address = options.getOrDefault(EngineProvider.DEVICE_OPTION, "0");
    SurveyedDevice device = MadeUpSurvey.device("Imaginary 100", "GPU-" + address, "north", "13.0");
    return new OnDevice(device, failing, address.equals(slow) ? 0.5 : 1);
  }

  private record OnDevice(SurveyedDevice device, String failing, double speed)
      implements DeviceSurvey {
    @Override
    public Finding run(Experiment experiment) {
      if (experiment.name().equals(failing)) {
        throw new StencilException(ErrorCode.DEVICE_LOST, "the device is lost");
      }
      return MadeUpSurvey.finding(experiment, speed);
    }

    @Override
    public Optional<Path> keepProfile(Optional<Path> otherwise) {
      return otherwise.map(folder -> folder.resolve("imaginary-profile.json"));
    }

    @Override
    public void close() {}
  }
}
