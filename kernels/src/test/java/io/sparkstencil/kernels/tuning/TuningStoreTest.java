/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.cuda.FakeGpu;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.kernels.gpu.LogLines;
import io.sparkstencil.kernels.variant.CacheHints;
import io.sparkstencil.kernels.variant.CoefficientPlacement;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.ReductionForm;
import io.sparkstencil.kernels.variant.StagingStrategy;
import io.sparkstencil.kernels.variant.TunedShape;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.model.Reduction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TuningStoreTest {
  private static final TunedShape MEAN =
      new TunedShape(Reduction.MEAN, 17, ElementType.F32, Accuracy.FAST, false);
  private static final TunedShape NULLABLE =
      new TunedShape(Reduction.MEAN, 17, ElementType.F32, Accuracy.FAST, true);
  private static final KernelSchedule SCHEDULE =
      new KernelSchedule(
          StagingStrategy.SHARED_MEMORY_ASYNC,
          256,
          12,
          16,
          CoefficientPlacement.CONSTANT,
          ReductionForm.SHARED_CORE,
          CacheHints.STREAM_BOTH,
          80,
          0);

  private static final TunedFields FIELDS =
      new TunedFields("abc", ElementType.F64, List.of(4096, 2048));
  private static final TunedKernel KERNEL = new TunedKernel("rows 8", 0.25, "u' = u[-1]");

  @TempDir private Path folder;
  private final CudaDevice device = new FakeGpu().driver().devices().get(0);

  @Test
  void findsWhatWasSavedAlsoInAnotherProcess() {
    TuningStore store = new TuningStore(folder.resolve("new"), device);
    assertThat(store.find(MEAN)).isEmpty();
    store.save(MEAN, new TunedSchedule(SCHEDULE, 1 << 27, 0.2553));
    assertThat(store.find(MEAN)).contains(SCHEDULE);
    TuningStore other = new TuningStore(folder.resolve("new"), device);
    assertThat(other.find(MEAN)).contains(SCHEDULE);
    assertThat(other.find(NULLABLE)).isEmpty();
    assertThat(store.file()).hasFileName("fake-gpu-compute-capability-9-0.json");
    assertThat(folder.resolve("new")).isDirectoryContaining(path -> path.equals(store.file()));
    assertThat(store.file().getParent().toFile().list()).hasSize(1);
  }

  @Test
  void removesDraftsThatKilledProcessesHaveLeftADayBefore() throws IOException {
    TuningStore store = new TuningStore(folder, device);
    String name = store.file().getFileName().toString();
    Path old = Files.createFile(folder.resolve(name + ".0f8fad5b.new"));
    Path recent = Files.createFile(folder.resolve(name + ".7c9e6679.new"));
    Path other = Files.createFile(folder.resolve("mine.new"));
    for (Path each : List.of(old, other)) {
      Files.setLastModifiedTime(each, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
    }

    store.save(MEAN, new TunedSchedule(SCHEDULE, 1 << 27, 0.2553));

    assertThat(old).doesNotExist();
    assertThat(recent).exists();
    assertThat(other).exists();
  }

  @Test
  void aLaterMeasurementReplacesAnEarlierOne() {
    TuningStore store = new TuningStore(folder, device);
    store.save(MEAN, new TunedSchedule(SCHEDULE.withHints(CacheHints.NONE), 1000, 2));
    store.save(NULLABLE, new TunedSchedule(SCHEDULE, 1000, 3));
    store.save(MEAN, new TunedSchedule(SCHEDULE, 1000, 1));
    TuningStore read = new TuningStore(folder, device);
    assertThat(read.find(MEAN)).contains(SCHEDULE);
    assertThat(read.find(NULLABLE)).contains(SCHEDULE);
  }

  @Test
  void kernelsOfProgramsAreKeptBesideSchedules() {
    TuningStore store = new TuningStore(folder, device);
    store.save(MEAN, new TunedSchedule(SCHEDULE, 1000, 1));
    store.save(FIELDS, new TunedKernel("rows 7", 0.5, "u' = u[-1]"));
    store.save(FIELDS, KERNEL);
    TuningStore read = new TuningStore(folder, device);
    assertThat(read.find(FIELDS)).contains(KERNEL);
    assertThat(read.find(MEAN)).contains(SCHEDULE);
    assertThat(read.find(new TunedFields("abc", ElementType.F32, List.of(4096, 2048)))).isEmpty();
    assertThat(read.find(new TunedFields("abc", ElementType.F64, List.of(2048, 4096)))).isEmpty();
    assertThat(read.find(new TunedFields("abd", ElementType.F64, List.of(4096, 2048)))).isEmpty();
  }

  @Test
  void aFileFromBeforeThereWerePrograms() throws IOException {
    TuningStore store = new TuningStore(folder, device);
    store.save(MEAN, new TunedSchedule(SCHEDULE, 1000, 1));
    String now = Files.readString(store.file());
    String before =
        now.replace("spark-stencil-tuning-3", "spark-stencil-tuning-2")
            .replaceFirst(",\\s*\"programs\": \\[\\s*]", "");
    assertThat(before).doesNotContain("programs").contains("spark-stencil-tuning-2");
    Files.writeString(store.file(), before);
    TuningStore read = new TuningStore(folder, device);
    assertThat(read.find(MEAN)).contains(SCHEDULE);
    read.save(FIELDS, KERNEL);
    assertThat(new TuningStore(folder, device).find(MEAN)).contains(SCHEDULE);
    assertThat(new TuningStore(folder, device).find(FIELDS)).contains(KERNEL);
  }

  @ParameterizedTest
  @CsvSource({
    "4096, 0",
    "0.25, 0",
    "0.25, \"quick\"",
    "\"kernel\", \"kernels\"",
    "F64, F16",
    "\"programs\", \"others\"",
  })
  void aFileWithAnythingWrongInAProgramIsIgnored(String part, String wrong) throws IOException {
    TuningStore store = new TuningStore(folder, device);
    store.save(MEAN, new TunedSchedule(SCHEDULE, 1000, 1));
    store.save(FIELDS, KERNEL);
    String good = Files.readString(store.file());
    Files.writeString(store.file(), good.replace(part, wrong));
    assertThat(store.file()).content().isNotEqualTo(good);
    try (LogLines log = new LogLines(TuningStore.class, Level.WARNING)) {
      TuningStore read = new TuningStore(folder, device);
      assertThat(read.find(FIELDS)).isEmpty();
      assertThat(read.find(MEAN)).isEmpty();
      assertThat(log.lines())
          .singleElement()
          .asString()
          .contains(store.file().toString(), "delete the file or measure again");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no json",
        "[]",
        "{}",
        "{\"format\":\"spark-stencil-tuning-1\",\"device\":\"another\",\"entries\":[]}",
        "{\"format\":\"spark-stencil-tuning-9\"}",
        "DEVICE",
        "DEVICE,\"entries\":7",
        "DEVICE,\"entries\":[{}]",
        "DEVICE,\"entries\":[{\"reduction\":\"MEDIAN\"}]",
        "TRUNCATED",
        "OUT_OF_RANGE",
        "WRONG_TYPE",
      })
  void aFileThatIsNotOursIsIgnoredAndReplaced(String content) throws IOException {
    TuningStore store = new TuningStore(folder, device);
    store.save(MEAN, new TunedSchedule(SCHEDULE, 1000, 1));
    String good = Files.readString(store.file());
    String header = good.substring(0, good.indexOf("\"entries\"")).strip();
    String bad =
        switch (content) {
          case "TRUNCATED" -> good.substring(0, good.length() / 2);
          case "OUT_OF_RANGE" -> good.replace("\"threadsPerBlock\": 256", "\"threadsPerBlock\": 7");
          case "WRONG_TYPE" -> good.replace("\"width\": 17", "\"width\": \"17\"");
          default -> content.replace("DEVICE,", header) + (content.startsWith("DEVICE") ? "}" : "");
        };
    assertThat(bad).isNotEqualTo(good);
    Files.writeString(store.file(), bad);
    TuningStore read = new TuningStore(folder, device);
    assertThat(read.find(MEAN)).isEmpty();
    read.save(MEAN, new TunedSchedule(SCHEDULE, 1000, 1));
    assertThat(new TuningStore(folder, device).find(MEAN)).contains(SCHEDULE);
  }

  @Test
  void othersMayReadTheFileAsTheyMayAnyOtherInItsFolder() throws IOException {
    TuningStore store = new TuningStore(folder, device);
    store.save(MEAN, new TunedSchedule(SCHEDULE, 1000, 1));
    Path ordinary = Files.createFile(folder.resolve("ordinary"));
    assertThat(Files.getPosixFilePermissions(store.file()))
        .isEqualTo(Files.getPosixFilePermissions(ordinary));
  }

  @Test
  void aFileThatCannotBeReplacedLeavesNoDraft() throws IOException {
    TuningStore store = new TuningStore(folder, device);
    Files.createDirectories(store.file().resolve("in the way"));
    assertThatThrownBy(() -> store.save(MEAN, new TunedSchedule(SCHEDULE, 1, 1)))
        .isInstanceOf(StencilException.class);
    assertThat(folder.toFile().list()).hasSize(1);
  }

  @Test
  void aFolderThatCannotBeWrittenIsNamed() throws IOException {
    Path notAFolder = Files.createFile(folder.resolve("file"));
    TuningStore store = new TuningStore(notAFolder.resolve("sub"), device);
    assertThatThrownBy(() -> store.save(MEAN, new TunedSchedule(SCHEDULE, 1, 1)))
        .isInstanceOf(StencilException.class)
        .hasMessageContaining("name a writable folder")
        .hasMessageContaining(notAFolder.toString());
  }
}
