/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.kernels;

import static io.sparkstencil.kernels.variant.StagingStrategy.SHARED_MEMORY;
import static io.sparkstencil.kernels.variant.StagingStrategy.SHARED_MEMORY_BULK;

import io.sparkstencil.benchmarks.results.BenchmarkResults;
import io.sparkstencil.benchmarks.results.BenchmarkRow;
import io.sparkstencil.benchmarks.results.MachineFacts;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Times kernels on one GPU, without Spark: the best copy that the device can do, the two classic
 * kernels, every staging strategy and the choice of the selector, and checks every result.
 *
 * <pre>
 *   KernelBenchmark MACHINE RESULTS-FOLDER COMMIT [LIBRARIES.json] [RADII] [LOG2-CELLS]
 * </pre>
 *
 * Without a GPU, only what a kernel costs before it runs. The libraries' file is written by {@code
 * benchmarks/python/libraries.py} on the same GPU.
 */
public final class KernelBenchmark {
  private static final String RADII = "1,2,4,8,12,16,25,32,64,128,256";
  private static final int LOG2_CELLS = 27;
  private static final String TUNED = "tuned";
  private static final String COPY_LIMIT = "copy limit";
  private static final String PUBLISHED = ", 1024 threads";

  private final PrimaryContext context;
  private final KernelCache kernels;
  private final DeviceTraits traits;
  private final LibraryTimes libraries;
  private final List<BenchmarkRow> rows = new ArrayList<>();
  private double limitMillis;

  private KernelBenchmark(PrimaryContext context, KernelCache kernels, LibraryTimes libraries) {
    this.context = context;
    this.kernels = kernels;
    this.libraries = libraries;
    var limits = context.traits().limits();
    this.traits =
        new DeviceTraits(
            limits.capability().number(),
            limits.multiprocessors(),
            limits.sharedBytesPerBlock(),
            limits.sharedBytes());
  }

  /** Runs the suite. */
  public static void main(String[] args) throws IOException {
    String machine = args[0];
    Path folder = Path.of(args[1]);
    String commit = args[2];
    LibraryTimes libraries =
        args.length > 3 && !args[3].equals("-")
            ? LibraryTimes.read(Path.of(args[3]))
            : LibraryTimes.none();
    int[] radii =
        Arrays.stream((args.length > 4 ? args[4] : RADII).split(","))
            .mapToInt(Integer::parseInt)
            .toArray();
    int cells = 1 << (args.length > 5 ? Integer.parseInt(args[5]) : LOG2_CELLS);
    Optional<String> noGpu = CudaDriver.get().unavailableReason();
    noGpu.ifPresent(reason -> System.out.println("generating and assembling only: " + reason));
    List<BenchmarkRow> rows =
        noGpu.isPresent() ? GenerationCosts.measure() : onDevice(libraries, radii, cells);
    BenchmarkResults results =
        new BenchmarkResults(
            MachineFacts.ofThisMachine(machine), commit, Instant.now().toString(), rows);
    System.out.println("wrote " + results.write(folder, "kernels"));
  }

  private static List<BenchmarkRow> onDevice(LibraryTimes libraries, int[] radii, int cells) {
    try (PrimaryContext context = CudaDriver.get().open(0);
        KernelCache kernels = new KernelCache(context)) {
      KernelBenchmark benchmark = new KernelBenchmark(context, kernels, libraries);
      benchmark.rows.addAll(LaunchCosts.measure(context));
      benchmark.rows.addAll(EdgeRows.measure(context, kernels, benchmark.traits));
      benchmark.rows.addAll(CacheWindowRows.measure(context, benchmark.traits));
      long hostBytes = 8L * (cells + KernelRig.WIDEST);
      try (PinnedBuffer host = context.allocatePinned(hostBytes)) {
        for (ElementType type : List.of(ElementType.F32, ElementType.F64)) {
          benchmark.run(type, radii, cells, host);
        }
      }
      return benchmark.rows;
    }
  }

  private void run(ElementType type, int[] radii, int cells, PinnedBuffer host) {
    long start = System.nanoTime();
    List<KernelWork> works = new ArrayList<>();
    for (int radius : radii) {
      works.addAll(KernelWork.all(type, radius));
    }
    // The driver's compiler takes longer than the kernels: all cores at once, before anything runs.
    works.parallelStream()
        .flatMap(
            work ->
                subjects(work.what()).values().stream()
                    .map(how -> KernelVariant.of(work.what(), how)))
        .forEach(variant -> kernels.get(variant, () -> KernelGenerator.generate(variant)));
    System.out.printf(
        "%d %s kernels compiled in %.1f s%n",
        kernels.size(), type, (System.nanoTime() - start) / 1e9);
    try (KernelRig rig = new KernelRig(context, kernels, host, type, cells)) {
      measureCopies(rig, type);
      for (KernelWork work : works) {
        measure(rig, work);
      }
      works.stream().filter(KernelBenchmark::isExactMean).forEach(work -> measureAlike(rig, work));
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
    copies.forEach(
        (subject, timing) ->
            add(
                "kernel/copy/" + type.name().toLowerCase(Locale.ROOT),
                subject,
                COPY_LIMIT,
                timing,
                limitMillis,
                false,
                ""));
  }

  private static boolean isExactMean(KernelWork work) {
    return work.what().reduction() == Reduction.MEAN
        && work.what().accuracy() == Accuracy.EXACT
        && work.radius() <= 32;
  }

  /** Exact means divide tiny sums in another way: cells that are all zero, and all tiny. */
  private void measureAlike(KernelRig rig, KernelWork work) {
    KernelVariant variant =
        KernelVariant.of(work.what(), ScheduleSelector.select(traits, work.what()));
    Map.of("zeros", (byte) 0, "tiny cells", (byte) 1)
        .forEach(
            (cells, repeated) -> {
              KernelRig.Measured result = rig.measureAlike(variant, repeated);
              System.out.printf(
                  "%s, %s %.4f ms%s%n",
                  work.name(), cells, result.timing().millis(), result.checked() ? "" : " WRONG");
              add(
                  work.name() + "/" + cells,
                  TUNED,
                  COPY_LIMIT,
                  result.timing(),
                  limitMillis,
                  result.checked(),
                  result.note());
            });
  }

  /** Returns the schedules to time, by name, the tuned one first. */
  private Map<String, KernelSchedule> subjects(FlatStencil what) {
    Map<String, KernelSchedule> subjects = new LinkedHashMap<>();
    subjects.put(TUNED, ScheduleSelector.select(traits, what));
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
        KernelSchedule.registersFor(1024));
  }

  private void measure(KernelRig rig, KernelWork work) {
    StringBuilder line = new StringBuilder("%-32s".formatted(work.name()));
    Map<String, KernelRig.Measured> measured = new LinkedHashMap<>();
    subjects(work.what())
        .forEach(
            (subject, how) -> {
              KernelRig.Measured result = rig.measure(KernelVariant.of(work.what(), how));
              measured.put(subject, result);
              line.append(
                  " %s %.4f%s"
                      .formatted(
                          subject.replace("staging ", "").replace("classic-", "classic "),
                          result.timing().millis(),
                          result.checked() ? "" : " WRONG"));
            });
    KernelRig.Measured tuned = measured.get(TUNED);
    measured.forEach(
        (subject, result) ->
            add(
                work.name(),
                subject,
                COPY_LIMIT,
                result.timing(),
                limitMillis,
                result.checked(),
                result.note()));
    measured.forEach(
        (subject, peer) -> {
          if (subject.startsWith("classic-")) {
            add(
                work.name(),
                TUNED,
                subject,
                tuned.timing(),
                peer.timing().millis(),
                tuned.checked(),
                "");
          }
        });
    libraries
        .peersOf(work)
        .forEach(
            (library, millis) ->
                add(
                    work.name(),
                    TUNED,
                    library,
                    tuned.timing(),
                    millis,
                    tuned.checked(),
                    "%s %.4f ms".formatted(library, millis)));
    System.out.printf("%s | %.3f of the copy limit%n", line, limitMillis / tuned.timing().millis());
  }

  private void add(
      String name,
      String subject,
      String against,
      LaunchTimer.Timing timing,
      double peerMillis,
      boolean checked,
      String note) {
    rows.add(
        new BenchmarkRow(
            name,
            subject,
            against,
            timing.millis(),
            "ms",
            peerMillis / timing.millis(),
            timing.spread(),
            timing.samples(),
            checked,
            note));
  }
}
