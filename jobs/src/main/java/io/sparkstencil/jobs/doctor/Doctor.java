/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.doctor;

import io.sparkstencil.cpu.PassKind;
import io.sparkstencil.engine.EngineProvider;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.jobs.chart.Fonts;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.Failure;
import io.sparkstencil.jobs.command.HadoopOnJava;
import io.sparkstencil.jobs.command.SparkArguments;
import io.sparkstencil.jobs.command.SparkRun;
import io.sparkstencil.jobs.command.StencilVersion;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.Utils;

/** Looks at everything that a job needs and says what works, what does not, and what to do. */
final class Doctor {
  private static final int LEAST_JAVA = 17;
  private static final List<String> SPARK_LINES = List.of("4.0.", "4.1.", "4.2.");
  private static final long LEAST_HEAP_BYTES = 512L << 20;
  private static final long LEAST_FREE_BYTES = 1L << 30;

  private final SparkArguments sparkOptions;
  private final List<Check> checks = new ArrayList<>();

  /** Creates a doctor that reaches Spark as {@code sparkOptions} say. */
  Doctor(SparkArguments sparkOptions) {
    this.sparkOptions = sparkOptions;
  }

  /** Looks at everything, Spark last, since it takes seconds to start. */
  List<Check> examine() {
    checks.add(Check.ok("Spark Stencil", StencilVersion.ofProject()));
    java();
    memory();
    plots();
    checks.addAll(new GpuProbe(Path.of("/")).checks());
    engines();
    environment();
    spark();
    return checks;
  }

  private void java() {
    String found =
        "%s (%s) at %s"
            .formatted(
                Runtime.version(),
                System.getProperty("java.vendor"),
                System.getProperty("java.home"));
    boolean recent = Runtime.version().feature() >= LEAST_JAVA;
    checks.add(Check.of(recent, "Java", found, "use JDK 17 or later; set JAVA_HOME"));
    checks.add(vectors(PassKind.of(Map.of()), System.getProperty("java.home")));
    boolean opened = Object.class.getModule().isOpen("java.nio", Doctor.class.getModule());
    checks.add(
        Check.of(
            opened,
            "Java modules",
            opened ? "opened for Spark" : "java.nio is not opened for Spark",
            "start through bin/stencil or spark-submit, which pass the options"));
    checks.add(hadoop(HadoopOnJava.reasonAgainst()));
  }

  /** Tells whether Hadoop reaches files on this JVM. */
  static Check hadoop(Optional<String> reasonAgainst) {
    return Check.of(
        reasonAgainst.isEmpty(),
        "Hadoop",
        reasonAgainst.orElseGet(HadoopOnJava::version),
        HadoopOnJava.REMEDY);
  }

  /** Tells whether the CPU engine uses vectors, as it does by default on this JVM. */
  static Check vectors(PassKind choice, String javaHome) {
    if (choice.vectors()) {
      return Check.ok("Vector API", choice.description());
    }
    String remedy =
        ModuleFinder.ofSystem().find("jdk.incubator.vector").isPresent()
            ? "the CPU engine is slower; start through bin/stencil or spark-submit with JDK 17 to 25"
            : "the CPU engine is slower; %s has no Vector API, JDK 17 to 25 have"
                .formatted(javaHome);
    return Check.missing("Vector API", choice.description(), remedy);
  }

  private void memory() {
    long heap = Runtime.getRuntime().maxMemory();
    int cores = Runtime.getRuntime().availableProcessors();
    checks.add(
        Check.of(
            heap >= LEAST_HEAP_BYTES,
            "Memory",
            "%s of heap, %d cores".formatted(Utils.bytesToString(heap), cores),
            "use more, for example --conf spark.driver.memory=2g"));
    Path folder = Path.of(System.getProperty("java.io.tmpdir"));
    try {
      long free = Files.getFileStore(folder).getUsableSpace();
      boolean writable = Files.isWritable(folder);
      checks.add(
          Check.of(
              writable && free >= LEAST_FREE_BYTES,
              "Temporary files",
              "%s, %s free%s"
                  .formatted(folder, Utils.bytesToString(free), writable ? "" : ", not writable"),
              "set --conf spark.local.dir=FOLDER to a folder with free space"));
    } catch (IOException e) {
      checks.add(Check.broken("Temporary files", e.toString(), "set -Djava.io.tmpdir to a folder"));
    }
  }

  private void plots() {
    checks.add(
        Fonts.missingBecause()
            .map(reason -> Check.missing("Plots", reason, Fonts.REMEDY))
            .orElseGet(() -> Check.ok("Plots", Fonts.families() + " font families")));
  }

  private void engines() {
    Engines.discover().forEach(provider -> checks.add(engine(provider)));
  }

  /** Tells whether an engine can be used here; its reason, if it cannot, says what to do. */
  static Check engine(EngineProvider provider) {
    String subject = "Engine " + provider.name();
    Optional<String> reason = provider.unavailableReason();
    if (reason.isPresent()) {
      return Check.missing(subject, reason.get(), "engine auto uses the next engine");
    }
    List<String> devices = provider.devices();
    return Check.ok(
        subject,
        "works%s, rank %d under auto"
            .formatted(
                devices.isEmpty() ? "" : " on devices " + String.join(", ", devices),
                provider.rank()));
  }

  private void environment() {
    Map<String, String> set = new TreeMap<>(System.getenv());
    set.keySet()
        .retainAll(List.of("SPARK_HOME", "SPARK_CONF_DIR", "JAVA_HOME", "CUDA_VISIBLE_DEVICES"));
    checks.add(Check.ok("Environment", set.isEmpty() ? "nothing set" : set.toString()));
  }

  private void spark() {
    String version = StencilVersion.ofSpark();
    if (SPARK_LINES.stream().noneMatch(version::startsWith)) {
      checks.add(
          Check.broken(
              "Spark",
              version + " is on the class path",
              "use Spark 4.0, 4.1 or 4.2 for Scala 2.13, or unset SPARK_HOME to use the embedded Spark"));
      return;
    }
    if (HadoopOnJava.reasonAgainst().isPresent()) {
      checks.add(Check.missing("Spark", version + ", not started", "see Hadoop above"));
      return;
    }
    try (SparkRun spark = sparkOptions.open("stencil doctor", Map.of())) {
      SparkSession session = spark.session();
      checks.add(
          Check.ok(
              "Spark",
              "%s on %s, %d slots"
                  .formatted(
                      version,
                      session.sparkContext().master(),
                      session.sparkContext().defaultParallelism())));
      List<Check> trials = new ArrayList<>();
      configuration(session, trial(session, trials));
      checks.addAll(trials);
      checks.add(parquet(new ParquetTrial(session)));
    } catch (RuntimeException e) {
      checks.add(
          Check.broken("Spark", Failure.of(e).line(), "see --verbose and the messages above"));
    }
  }

  private static Check parquet(ParquetTrial trial) {
    try {
      return trial.run();
    } catch (IOException | RuntimeException e) {
      return Check.broken(
          ParquetTrial.SUBJECT,
          Failure.of(e).line(),
          "let executors write the folder for temporary files, or see --verbose");
    }
  }

  private void configuration(SparkSession session, String wrong) {
    Map<String, String> ours = new TreeMap<>();
    session
        .sql("SET")
        .where("key LIKE 'spark.stencil.%'")
        .collectAsList()
        .forEach(row -> ours.put(row.getString(0), row.getString(1)));
    String found = ours.isEmpty() ? "no spark.stencil.* key is set" : ours.toString();
    checks.add(
        Check.of(
            wrong == null, "Configuration", wrong == null ? found : wrong, "remove or correct it"));
  }

  /**
   * Runs a stencil whose result is known, from end to end, on each engine that works; returns what
   * is wrong with the options, or null.
   */
  private static String trial(SparkSession session, List<Check> trials) {
    for (EngineProvider provider : Engines.discover()) {
      if (provider.unavailableReason().isEmpty()) {
        TrialJob job = new TrialJob(session, provider.name());
        try {
          trials.add(job.run());
        } catch (RuntimeException e) {
          Failure failure = Failure.of(e);
          if (failure.exitCode() == ExitCode.USAGE) {
            return failure.line();
          }
          trials.add(Check.broken(job.subject(), failure.line(), "run with --verbose"));
        }
      }
    }
    return null;
  }
}
