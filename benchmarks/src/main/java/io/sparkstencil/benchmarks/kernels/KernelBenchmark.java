/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import static io.sparkstencil.kernels.variant.StagingStrategy.SHARED_MEMORY;
import static io.sparkstencil.kernels.variant.StagingStrategy.SHARED_MEMORY_BULK;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkstencil.benchmarks.harness.BenchmarkCommand;
import io.sparkstencil.benchmarks.loops.LoopWork;
import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.CudaDriver;
import io.sparkstencil.cuda.PinnedBuffer;
import io.sparkstencil.cuda.PrimaryContext;
import io.sparkstencil.kernels.codegen.move.CopyKernel;
import io.sparkstencil.kernels.codegen.window.KernelGenerator;
import io.sparkstencil.kernels.launch.KernelCache;
import io.sparkstencil.kernels.tuning.LaunchTimer;
import io.sparkstencil.kernels.variant.CacheHints;
import io.sparkstencil.kernels.variant.ClassicKernel;
import io.sparkstencil.kernels.variant.DeviceTraits;
import io.sparkstencil.kernels.variant.FlatStencil;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.KernelVariant;
import io.sparkstencil.kernels.variant.ScheduleRules;
import io.sparkstencil.kernels.variant.ScheduleSelector;
import io.sparkstencil.kernels.variant.SearchSpace;
import io.sparkstencil.kernels.variant.StagingStrategy;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Times kernels on one GPU, without Spark: the best copy that the device can do, the two classic
 * kernels, every staging strategy and the choice of the selector, and checks every result. Without
 * a GPU, only what a kernel costs before it runs.
 */
@Command(name = "kernels", description = "Kernels on one GPU, against the best copy.")
public final class KernelBenchmark extends BenchmarkCommand {
  private static final String TUNED = "tuned";
  private static final String COPY_LIMIT = "copy limit";
  private static final String PUBLISHED = ", 1024 threads";
  private static final String ALL = ".*";

  @Option(
      names = "--libraries",
      paramLabel = "FILE.json",
      description =
          "What libraries of Python took on the same GPU, as benchmarks/python/libraries.py writes it.")
  private Path libraryTimes;

  @Option(
      names = "--radii",
      split = ",",
      defaultValue = "1,2,4,8,12,16,25,32,64,128,256",
      description = "Radii.")
  private List<Integer> radii;

  @Option(
      names = "--log2-cells",
      defaultValue = "27",
      description = "The binary logarithm of the outputs of a launch.")
  private int log2Cells;

  @Option(
      names = "--names",
      defaultValue = ALL,
      paramLabel = "REGEX",
      description =
          "Stencils to measure, such as 'kernel/weighted/.*/f64/.*'. What launches and edges cost is"
              + " measured with all of them alone.")
  private String names;

  private final Map<String, Double> tunedMillis = new HashMap<>();
  private PrimaryContext context;
  private KernelCache kernels;
  private DeviceTraits traits;
  private JsonNode libraries;
  private double limitMillis;

  @Override
  protected void measure() throws IOException {
    Optional<String> noGpu = CudaDriver.get().unavailableReason();
    if (noGpu.isPresent()) {
      System.out.println("generating and assembling only: " + noGpu.get());
      GenerationCosts.measure(this::add);
      return;
    }
    ObjectMapper json = new ObjectMapper();
    libraries =
        libraryTimes == null ? json.createArrayNode() : json.readTree(libraryTimes.toFile());
    try (PrimaryContext opened = CudaDriver.get().open(0);
        KernelCache cache = new KernelCache(opened)) {
      context = opened;
      kernels = cache;
      CudaDevice device = context.traits();
      traits = new DeviceTraits(device.capability(), device.sharedBytesPerBlock());
      if (names.equals(ALL)) {
        LaunchCosts.measure(context, this::add);
        EdgeRows.measure(context, kernels, traits, this::add);
        CacheWindowRows.measure(context, traits, this::add);
      }
      int cells = 1 << log2Cells;
      try (PinnedBuffer host = context.allocatePinned(8L * (cells + KernelRig.WIDEST))) {
        for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
          run(type, cells, host);
        }
      }
    }
  }

  private void run(ElementType type, int cells, PinnedBuffer host) {
    long start = System.nanoTime();
    List<KernelWork> works =
        KernelWork.all(type, radii).stream().filter(work -> work.name().matches(names)).toList();
    if (works.isEmpty()) {
      return;
    }
    // The driver's compiler takes longer than the kernels: all cores at once, before anything runs.
    works.parallelStream()
        .flatMap(
            work ->
                subjects(work.what()).values().stream()
                    .map(how -> new KernelVariant(work.what(), how)))
        .forEach(variant -> kernels.get(variant, () -> KernelGenerator.generate(variant)));
    System.out.printf(
        "%d %s kernels compiled in %.1f s%n",
        kernels.size(), type, (System.nanoTime() - start) / 1e9);
    try (KernelRig rig = new KernelRig(context, kernels, host, type, cells)) {
      measureCopies(rig, type);
      works.forEach(work -> measure(rig, work));
      measureAlike(rig, works, "zeros", (byte) 0);
      measureAlike(rig, works, "tiny cells", (byte) 1);
    }
    System.out.printf("%s done after %.1f s%n", type, (System.nanoTime() - start) / 1e9);
  }

  /** The limit of a single pass is the faster of the driver's copy and the best copy kernel. */
  private void measureCopies(KernelRig rig, ElementType type) {
    Map<String, LaunchTimer.Timing> copies = new LinkedHashMap<>();
    copies.put("driver copy", rig.timeDriverCopy());
    for (int threads : new int[] {128, 256, 512}) {
      for (int units : new int[] {1, 2}) {
        for (CacheHints hints : CacheHints.values()) {
          CopyKernel copy = new CopyKernel(threads, units, hints);
          copies.put(copy.entryName(), rig.timeCopyKernel(kernels.get(copy, copy::generate)));
        }
      }
    }
    limitMillis =
        copies.values().stream().mapToDouble(LaunchTimer.Timing::millis).min().orElseThrow();
    String name = "kernel/copy/" + type.name().toLowerCase(Locale.ROOT);
    copies.forEach(
        (subject, timing) -> addToLimit(name, subject, new KernelRig.Measured(timing, false, "")));
  }

  /** Exact means divide tiny sums in another way: cells that are all zero, or all tiny. */
  private void measureAlike(KernelRig rig, List<KernelWork> works, String cells, byte repeated) {
    rig.makeAlike(repeated);
    for (KernelWork work : works) {
      LoopWork what = work.stencil();
      if (what.toString().startsWith("mean/exact/") && what.radius() <= 32) {
        KernelVariant tuned =
            new KernelVariant(work.what(), ScheduleSelector.select(traits, work.what()));
        addToLimit(work.name() + "/" + cells, TUNED, rig.measure(what, tuned));
      }
    }
  }

  /** Returns the schedules to time, by name, the tuned one first. */
  private Map<String, KernelSchedule> subjects(FlatStencil what) {
    Map<String, KernelSchedule> subjects = new LinkedHashMap<>();
    subjects.put(TUNED, ScheduleSelector.select(traits, what));
    if (subjects.get(TUNED).form().matrices().isPresent()) {
      subjects.put(
          "without tensor cores", ScheduleSelector.select(traits.withTensorCores(false), what));
    }
    for (ClassicKernel classic : ClassicKernel.values()) {
      subjects.put(classic.label(), classic.schedule(what));
      if (what.reduction() == Reduction.MEAN) {
        subjects.put(classic.label() + PUBLISHED, publishedShape(classic.schedule(what)));
      }
    }
    KernelSchedule tuned = subjects.get(TUNED);
    if (tuned.staging().fillsAsynchronously()) {
      for (StagingStrategy staging : List.of(SHARED_MEMORY, SHARED_MEMORY_BULK)) {
        CacheHints hints = staging == SHARED_MEMORY ? CacheHints.SKIP_L1 : tuned.hints();
        subjects.put(stagingName(staging), tuned.withStaging(staging).withHints(hints));
      }
    }
    for (StagingStrategy staging : StagingStrategy.values()) {
      SearchSpace.candidates(traits, what).stream()
          .filter(how -> how.staging() == staging && how.vectorBytes() == 16)
          .findFirst()
          .ifPresent(how -> subjects.putIfAbsent(stagingName(staging), how));
    }
    subjects.values().removeIf(how -> ScheduleRules.reasonAgainst(what, how).isPresent());
    return subjects;
  }

  private static String stagingName(StagingStrategy staging) {
    return "staging " + staging.name().toLowerCase(Locale.ROOT);
  }

  /** The blocks of 1024 threads with which the classic kernels were published. */
  private static KernelSchedule publishedShape(KernelSchedule classic) {
    return new KernelSchedule(
        classic.staging(),
        1024,
        classic.cellsPerThread(),
        classic.vectorBytes(),
        classic.coefficients(),
        classic.form(),
        classic.hints(),
        64, // with more, 1024 threads do not fit on a processor
        0);
  }

  private void measure(KernelRig rig, KernelWork work) {
    Map<String, KernelRig.Measured> measured = new LinkedHashMap<>();
    subjects(work.what())
        .forEach(
            (subject, how) ->
                measured.put(
                    subject, rig.measure(work.stencil(), new KernelVariant(work.what(), how))));
    measured.forEach((subject, result) -> addToLimit(work.name(), subject, result));
    KernelRig.Measured tuned = measured.get(TUNED);
    compareAccuracies(work, tuned);
    measured.forEach(
        (subject, peer) -> {
          if (subject.startsWith("classic-")) {
            add(tuned.row(work.name(), TUNED, subject, peer.timing().millis()));
          }
        });
    for (JsonNode peer : libraries) {
      if (isOf(peer, work.stencil())) {
        double millis = peer.get("millis").asDouble();
        add(tuned.row(work.name(), TUNED, peer.get("library").asText(), millis));
      }
    }
  }

  /**
   * Compares fused products with the other accuracies of the same sum, where they were measured.
   */
  private void compareAccuracies(KernelWork work, KernelRig.Measured tuned) {
    tunedMillis.put(work.name(), tuned.timing().millis());
    if (work.stencil().accuracy() == Accuracy.FMA) {
      for (Accuracy other : List.of(Accuracy.FAST, Accuracy.EXACT)) {
        String accuracy = other.name().toLowerCase(Locale.ROOT);
        Double millis = tunedMillis.get(work.name().replace("/fma/", "/" + accuracy + "/"));
        if (millis != null) {
          add(tuned.row(work.name(), TUNED, accuracy, millis));
        }
      }
    }
  }

  /** Tells whether a line of libraries.py is a time, in milliseconds, of the same work. */
  private static boolean isOf(JsonNode peer, LoopWork work) {
    return peer.hasNonNull("millis")
        && work.toString().startsWith(peer.get("operation").asText() + "/")
        && work.type().name().equalsIgnoreCase(peer.get("type").asText())
        && work.radius() == peer.get("k").asInt();
  }

  private void addToLimit(String name, String subject, KernelRig.Measured result) {
    add(result.row(name, subject, COPY_LIMIT, limitMillis));
  }
}
