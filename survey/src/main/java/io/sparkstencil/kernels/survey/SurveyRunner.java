/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.survey;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.error.CloseScope;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.kernels.codegen.survey.RateKernel.Operation;
import io.sparkstencil.kernels.survey.bench.Bench;
import io.sparkstencil.kernels.survey.bench.DeviceRates;
import io.sparkstencil.kernels.survey.bench.Effort;
import io.sparkstencil.kernels.survey.bench.FindingBuilder;
import io.sparkstencil.kernels.survey.bench.SurveyExperiment;
import io.sparkstencil.kernels.tuning.ProfileStore;
import io.sparkstencil.kernels.variant.DeviceProfile;
import io.sparkstencil.survey.DeviceSurvey;
import io.sparkstencil.survey.Experiment;
import io.sparkstencil.survey.Finding;
import io.sparkstencil.survey.SurveyedDevice;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Runs experiments on a GPU; owns the context and the memory that they take. */
public final class SurveyRunner implements DeviceSurvey {
  private static final List<SurveyExperiment> ALL =
      List.of(
          new LimitsExperiment(),
          new CoalescingExperiment(),
          new BanksExperiment(),
          new AsyncCopyExperiment(),
          new CacheWindowExperiment(),
          new CoefficientsExperiment(),
          new TextureExperiment(),
          new LocalMemoryExperiment(),
          new StencilExperiment(),
          new TensorCoreExperiment(),
          new OccupancyExperiment(),
          new ConcurrencyExperiment());

  private final CloseScope owned = new CloseScope();
  private final Bench bench;
  private final DeviceRates rates;
  private final SurveyedDevice device;
  private final Optional<Path> folder;

  /**
   * Takes two arrays of several times the second-level cache.
   *
   * @param folder of measurements, if there is one
   * @throws StencilException if the device has too little memory
   */
  public SurveyRunner(CudaDriver driver, CudaDevice traits, Optional<Path> folder) {
    this(
        driver,
        traits,
        folder,
        context -> Effort.of(traits, context.limits(), context.freeBytes()));
  }

  /** Measures with another effort than the usual. */
  SurveyRunner(
      CudaDriver driver,
      CudaDevice traits,
      Optional<Path> folder,
      Function<PrimaryContext, Effort> effort) {
    this.folder = folder;
    try {
      PrimaryContext context = owned.add(driver.open(traits.ordinal()));
      this.bench = owned.add(new Bench(driver, context, effort.apply(context)));
      this.rates = new DeviceRates(bench);
      this.device = describe(bench, rates.clockMegahertz());
      bench.release();
    } catch (RuntimeException e) {
      throw owned.closeAfter(e);
    }
  }

  private static SurveyedDevice describe(Bench bench, double clockMegahertz) {
    CudaDevice traits = bench.traits();
    return new SurveyedDevice(
        traits.name(),
        traits.uuid(),
        traits.busId(),
        host(),
        traits.driverVersionText(),
        traits.capabilityText(),
        traits.multiprocessors(),
        traits.memoryBytes(),
        bench.limits().cacheBytes(),
        clockMegahertz);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost"; // a host without a name in its network
    }
  }

  /** Returns all experiments in their order. */
  public static List<Experiment> experiments() {
    return ALL.stream().map(SurveyExperiment::experiment).toList();
  }

  @Override
  public SurveyedDevice device() {
    return device;
  }

  @Override
  public Finding run(Experiment experiment) {
    long start = System.nanoTime();
    FindingBuilder answer = find(experiment.name()).answer(bench, rates);
    bench.release();
    return new Finding(
        experiment.name(),
        answer.charts(),
        answer.claims(),
        answer.meaning(),
        (System.nanoTime() - start) / 1e9);
  }

  @Override
  public Optional<Path> keepProfile(Optional<Path> otherwise) {
    return folder.or(() -> otherwise).map(this::keep);
  }

  private Path keep(Path place) {
    ProfileStore store = new ProfileStore(place, bench.traits());
    store.save(profile());
    return store.file();
  }

  private DeviceProfile profile() {
    DeviceProfile profile =
        new DeviceProfile(
            "this survey",
            rates.copy(),
            rates.instructions(Operation.F32_ADD),
            rates.shared(),
            AsyncCopyExperiment.gain(bench),
            bench.limits().cacheBytes(),
            new LinkMeasurements(bench).bothWays(),
            LaunchMeasurements.micros(bench));
    bench.release();
    return profile;
  }

  private static SurveyExperiment find(String name) {
    return ALL.stream()
        .filter(each -> each.experiment().name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new StencilException(
                    ErrorCode.INVALID_ARGUMENT,
                    "there is no experiment %s; there are %s"
                        .formatted(name, experiments().stream().map(Experiment::name).toList())));
  }

  @Override
  public void close() {
    owned.close();
  }
}
