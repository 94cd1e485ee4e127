/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks without the call that forces folders, and disks that fail, in whatever language. */
final class ForcedFoldersTest {
  @TempDir private Path folder;

  private final List<Path> forced = new ArrayList<>();

  /** A disk on which some forces fail. */
  private interface Disk {
    boolean fails(Path place);
  }

  private ForcedFolders on(Disk disk, String words) {
    return new ForcedFolders(
        (Path place, OpenOption how) -> {
          forced.add(place);
          if (disk.fails(place)) {
            throw new IOException(words);
          }
        });
  }

  @Test
  void onARealDiskNothingFails() throws IOException {
    ForcedFolders.OF_THIS_MACHINE.force(folder);

    assertThat(folder).isEmptyDirectory();
    assertThatThrownBy(() -> LocalDisk.forceFolder(folder.resolve("missing")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aMissingCallIsNoFailureWhateverItIsCalledAndIsTriedOnce() throws IOException {
    ForcedFolders disk = on(Files::isDirectory, "Argument invalide");

    disk.force(folder);
    assertThat(forced).hasSize(3);
    assertThat(forced.get(0)).isEqualTo(folder);
    assertThat(forced.get(1).getParent()).isEqualTo(forced.get(2));
    assertThat(forced.get(2).getParent()).isEqualTo(folder);
    disk.force(folder);

    assertThat(forced).hasSize(4);
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aDiskThatForcesNothingFails() {
    ForcedFolders disk = on(place -> true, "Invalid argument");

    assertThatThrownBy(() -> disk.force(folder)).hasMessage("Invalid argument");
    assertThatThrownBy(() -> disk.force(folder)).hasMessage("Invalid argument");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void aFolderThatFailsWhereAnotherDoesNotFails() {
    ForcedFolders disk = on(folder::equals, "Operation not supported");

    assertThatThrownBy(() -> disk.force(folder)).hasMessage("Operation not supported");
    assertThat(folder).isEmptyDirectory();
  }

  /** As Linux does: what could not be written is said once. */
  @Test
  void aFailureThatIsSaidOnceIsNotLost() {
    ForcedFolders disk = on(place -> forced.size() == 1, "Input/output error");

    assertThatThrownBy(() -> disk.force(folder)).hasMessage("Input/output error");
  }

  @Test
  void aFolderThatMayNotBeReadIsPassedOver() throws IOException {
    new ForcedFolders(
            (place, how) -> {
              throw new AccessDeniedException(place.toString());
            })
        .force(folder);

    assertThat(folder).isEmptyDirectory();
  }
}
