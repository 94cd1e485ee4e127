/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ForcedFilesTest {
  @TempDir private Path folder;

  @Test
  void areForcedToDiskBeforeTheyHaveTheirNames() {
    StoredFile file = StoredFile.of("recording://" + folder.resolve("deeper/a"), HADOOP);
    List<String> events = new ArrayList<>();
    for (int time = 0; time < 2; time++) {
      RecordingFileSystem.EVENTS.clear();
      if (time == 0) {
        file.writeWhole(new byte[] {1, 2, 3});
      } else {
        file.writeFromTask(out -> out.write(7));
      }
      events.addAll(RecordingFileSystem.EVENTS);
    }

    assertThat(events).hasSize(4);
    for (int time = 0; time < 2; time++) {
      assertThat(events.get(2 * time)).matches("forced \\.a\\..*\\.tmp");
      assertThat(events.get(2 * time + 1)).isEqualTo("renamed to a");
    }
    assertThat(folder.resolve("deeper/a")).hasBinaryContent(new byte[] {7});
    assertThat(folder.resolve("deeper")).isDirectoryContaining("glob:**/a");
  }
}
