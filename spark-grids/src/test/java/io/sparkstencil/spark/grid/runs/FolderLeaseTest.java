/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.runs;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.spark.files.HarshFileSystem;
import io.sparkstencil.spark.files.StoredFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class FolderLeaseTest {
  @TempDir private Path folder;

  private StoredFile place() {
    return StoredFile.of(folder.toString(), HADOOP);
  }

  private FolderLease take(String run) {
    return FolderLease.take(place(), FolderOwner.here(run, "local-1"), false);
  }

  @ParameterizedTest
  @CsvSource({"file, false", "file, true", "whole, false", "harsh, false", "harsh, true"})
  void oneOfManyHasIt(String scheme, boolean wasOwned) throws Exception {
    for (int time = 0; time < 8; time++) {
      requireOneOfMany(scheme, wasOwned);
    }
  }

  private void requireOneOfMany(String scheme, boolean wasOwned) throws Exception {
    Configuration hadoop = new Configuration(HADOOP);
    hadoop.set("fs.harsh.impl", HarshFileSystem.class.getName());
    StoredFile place = StoredFile.of("%s://%s".formatted(scheme, folder), hadoop);
    if (wasOwned) {
      FolderOwner here = FolderOwner.here("a1", "app");
      write(with(here, here.machine(), here.process(), "17"));
    }
    CountDownLatch begin = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<Optional<FolderLease>>> taken =
        IntStream.range(0, 8)
            .mapToObj(run -> threads.submit(() -> takeAtOnce(place, "run" + run, begin)))
            .toList();
    begin.countDown();
    List<FolderLease> held = new ArrayList<>();
    for (Future<Optional<FolderLease>> each : taken) {
      each.get().ifPresent(held::add);
    }
    threads.shutdown();

    assertThat(held).hasSize(1);
    held.get(0).close();
    assertThat(folder).isEmptyDirectory();
  }

  private static Optional<FolderLease> takeAtOnce(
      StoredFile place, String run, CountDownLatch begin) throws InterruptedException {
    begin.await();
    try {
      FolderLease lease = FolderLease.take(place, FolderOwner.here(run, "app"), false);
      for (int time = 0; time < 50; time++) {
        lease.require(); // not even for a moment may it be another's
      }
      return Optional.of(lease);
    } catch (StencilException e) {
      assertThat(e).hasMessageContaining(place.toString());
      return Optional.empty();
    }
  }

  @Test
  void refusesOthersByNameUntilItIsGivenBack() {
    FolderLease first = take("a1");

    assertThatThrownBy(() -> take("b2"))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("run a1 of " + System.getProperty("user.name"))
        .hasMessageContaining("this one")
        .hasMessageContaining("since 2")
        .hasMessageContaining(folder + "/.owner")
        .hasMessageContaining("--take-over");
    first.require();
    first.close();
    assertThat(folder).isEmptyDirectory();
    take("b2").require();
  }

  @Test
  void isTakenFromAProcessThatHasEnded() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    FolderOwner here = FolderOwner.here("a1", "app");
    write(with(here, here.machine(), String.valueOf(ended.pid()), "17"));

    FolderLease next = take("b2");

    next.require();
  }

  @Test
  void isTakenFromAProcessWhoseNumberAnotherHasNow() throws IOException {
    FolderOwner here = FolderOwner.here("a1", "app");
    write(with(here, here.machine(), here.process(), "17"));

    FolderLease next = take("b2");
    next.require();
    next.close();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void goesOnFromRunToRunThoughNoneGaveItBack() throws IOException {
    FolderOwner here = FolderOwner.here("a1", "app");
    for (int run = 0; run < 5; run++) {
      FolderOwner ended =
          new FolderOwner(
              "run" + run,
              "app",
              here.user(),
              here.host(),
              here.machine(),
              here.process(),
              "17",
              "2030-01-01T00:00:00Z");
      FolderLease.take(place(), ended, false);
    }
    FolderLease last = take("b2");
    last.require();
    assertThatThrownBy(() -> take("c3")).hasMessageContaining("run b2");
    last.close();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void isNotTakenFromAnotherMachineUnlessThatIsWanted() throws IOException {
    FolderOwner here = FolderOwner.here("a1", "app");
    for (String machine : List.of("", "another pid:[4026531836]")) {
      write(with(here, machine, "1", "17"));
      assertThatThrownBy(() -> take("b2"))
          .isInstanceOf(InvalidStencilException.class)
          .hasMessageContaining("run a1");
    }
    FolderLease next = FolderLease.take(place(), FolderOwner.here("b2", "app"), true);
    next.require();
  }

  @Test
  void isNotTakenFromARunThatHasOnlyBegunToWriteItsName() throws IOException {
    for (int bytes = 0; bytes < 40; bytes += 13) {
      byte[] cut = new byte[bytes];
      System.arraycopy(FolderOwner.here("a1", "app").bytes(), 0, cut, 0, bytes);
      Files.write(folder.resolve(".owner"), cut);
      assertThatThrownBy(() -> take("b2"))
          .isInstanceOf(InvalidStencilException.class)
          .hasMessageContaining("has not written its name");
    }
  }

  @Test
  void aRunThatHasLostItSaysToWhomAndLeavesItThere() {
    FolderLease first = take("a1");
    FolderLease second = FolderLease.take(place(), FolderOwner.here("b2", "app"), true);

    assertThatThrownBy(first::require)
        .isInstanceOf(StencilException.class)
        .hasMessageContaining("taken from this run, a1")
        .hasMessageContaining("run b2");
    first.close();
    second.require();
    second.close();
    assertThatThrownBy(second::require)
        .isInstanceOf(StencilException.class)
        .hasMessageContaining(".owner is gone");
  }

  /** The other has read who owns the folder before it is taken, and removes its files after. */
  @Test
  void isKeptThoughTheRunBeforeLeavesInThatMoment() throws IOException {
    take("a1");
    FolderLease second = FolderLease.take(place(), FolderOwner.here("b2", "app"), true);
    Files.delete(folder.resolve(".owner"));

    second.require();
    assertThatThrownBy(() -> take("c3")).hasMessageContaining("run b2");
    second.require();
    second.close();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void isLostThoughTheRunBeforeLeftToAThirdThatCameFirst() throws IOException {
    take("a1");
    FolderLease second = FolderLease.take(place(), FolderOwner.here("b2", "app"), true);
    Files.delete(folder.resolve(".owner"));
    FolderLease third = take("c3");

    assertThatThrownBy(second::require).hasMessageContaining("run c3");
    second.close();
    third.require();
    third.close();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFullDiskLeavesNoOwnerWithoutAName() {
    Configuration hadoop = new Configuration();
    hadoop.set("fs.harsh.impl", HarshFileSystem.class.getName());
    StoredFile place = StoredFile.of("harsh://" + folder, hadoop);
    HarshFileSystem.fillAfter(10);
    try {
      assertThatThrownBy(() -> FolderLease.take(place, FolderOwner.here("a1", "app"), false))
          .isInstanceOf(StencilException.class);
    } finally {
      HarshFileSystem.revive();
    }
    FolderLease.take(place, FolderOwner.here("b2", "app"), false).close();
  }

  @Test
  void anOwnerOfAnotherUserOrHostIsNotTakenForDead() {
    FolderOwner here = FolderOwner.here("a1", "app");
    FolderOwner gone = with(here, here.machine(), "999999999", "1");
    assertThat(gone.hasEnded()).isTrue();
    for (FolderOwner other :
        List.of(
            new FolderOwner(
                "a1", "app", "other", here.host(), here.machine(), "999999999", "1", ""),
            new FolderOwner("a1", "app", here.user(), "h", here.machine(), "999999999", "1", ""),
            with(here, here.machine(), "999999999", ""))) {
      assertThat(other.hasEnded()).as("%s", other).isFalse();
    }
  }

  @Test
  void namesOfCheckpointsHaveTheSameDigitsInEveryLanguage() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertThat(StoredCheckpoint.name(40, "a1")).isEqualTo("step-000000000000040-a1");
      assertThat(StoredCheckpoint.isName("step-%015d".formatted(40))).isTrue();
    } finally {
      Locale.setDefault(before);
    }
  }

  private static FolderOwner with(FolderOwner owner, String machine, String process, String begun) {
    return new FolderOwner(
        owner.run(),
        owner.application(),
        owner.user(),
        owner.host(),
        machine,
        process,
        begun,
        "2030-01-01T00:00:00Z"); // clocks decide nothing
  }

  private void write(FolderOwner owner) throws IOException {
    Files.write(folder.resolve(".owner"), owner.bytes());
  }
}
