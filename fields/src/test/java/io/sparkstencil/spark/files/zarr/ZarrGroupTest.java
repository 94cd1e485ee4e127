/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ZarrGroupTest {
  private static final ZarrLayout LAYOUT =
      ZarrLayout.of(ElementType.F64, List.of(4L), Extent.of(2));

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"file", "whole"})
  void isACheckpointThatIsCompleteAtTheEnd(String scheme) {
    String path = "%s://%s".formatted(scheme, folder.resolve("run.zarr"));
    ZarrGroup run = ZarrGroup.create(path, Map.of("program", "heat"), HADOOP);
    ZarrGroup version = run.createGroup("step-8", Map.of("step", 8));
    FieldWriter u = version.createArray("u", LAYOUT);
    u.write(Box.whole(Extent.of(4)), new double[] {1, 2, 3, 4}, HADOOP);
    u.commit(HADOOP);
    assertThat(ZarrGroup.open(path, HADOOP).group("step-8").isComplete()).isFalse();
    assertThat(version.complete(Map.of("seconds", 1.5)).isComplete()).isTrue();

    ZarrGroup read = ZarrGroup.open(path, HADOOP);
    assertThat(read.attributes()).isEqualTo(Map.of("program", "heat"));
    assertThat(read.groups()).containsExactly("step-8");
    assertThat(read.arrays()).isEmpty();
    ZarrGroup found = read.group("step-8");
    assertThat(found.isComplete()).isTrue();
    assertThat(found.attributes()).isEqualTo(Map.of("step", 8, "seconds", 1.5, "complete", true));
    assertThat(found.arrays()).containsExactly("u");
    try (ZarrArray array = found.array("u")) {
      assertThat((double[]) array.read(Box.whole(Extent.of(4)), ElementType.F64))
          .containsExactly(1, 2, 3, 4);
    }
    assertThat(found.path("u")).endsWith("run.zarr/step-8/u");
    found.withAttributes(Map.of("step", 9));
    assertThat(read.group("step-8").attributes()).containsEntry("step", 9);
    read.remove("step-8");
    assertThat(read.groups()).isEmpty();
  }

  @Test
  void readsGroupsOfBothVersions() throws IOException {
    Path fixtures = FieldFixtures.unpack("zarr", folder);
    ZarrGroup version3 = ZarrGroup.open(fixtures.resolve("v3/group").toString(), HADOOP);
    ZarrGroup version2 = ZarrGroup.open(fixtures.resolve("v2/group").toString(), HADOOP);

    assertThat(version3.attributes()).containsEntry("step", 7).containsEntry("missing", null);
    assertThat(version3.arrays()).containsExactly("u");
    assertThat(version3.groups()).containsExactly("deeper");
    assertThat(version2.attributes()).isEqualTo(Map.of("step", 7));
    assertThat(version2.arrays()).containsExactly("u");
    assertThat(version2.array("u").shape()).containsExactly(5L, 7L);
    assertThatThrownBy(() -> version2.withAttributes(Map.of()))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("version 2");
    assertThatThrownBy(() -> version3.group("u"))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("is an array");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "../other", "a/b", "/etc", "__meta", "a\\b", "x:y"})
  void refusesNamesThatLeadElsewhere(String name) {
    ZarrGroup group = ZarrGroup.create(folder.resolve("g").toString(), Map.of(), HADOOP);

    assertThatThrownBy(() -> group.createArray(name, LAYOUT))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("is not the name");
    assertThatThrownBy(() -> group.remove(name)).isInstanceOf(FieldFileException.class);
  }

  @Test
  void refusesFoldersWithContentAndFoldersWithoutGroup() {
    String path = folder.resolve("g").toString();
    assertThatThrownBy(() -> ZarrGroup.open(path, HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("no Zarr group");
    ZarrGroup.create(path, Map.of(), HADOOP);
    assertThatThrownBy(() -> ZarrGroup.create(path, Map.of(), HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("exists already");
  }
}
