/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.cells.FieldLabels;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ZarrDatasetTest {
  private static final List<Long> SHAPE = List.of(6L, 7L);
  private static final double[] LATITUDES = {60, 55, 50, 45, 40, 35};

  private static final FieldLabels LABELS =
      new FieldLabels(
          List.of("lat", "lon"),
          Map.of("units", "K", "scale_factor", 0.5, "_FillValue", -1, "coordinates", "area"),
          Map.of("lat", new FieldLabels.Coordinate(LATITUDES, Map.of("units", "degrees_north"))));

  @TempDir private Path folder;

  private String write(int version) {
    String path = folder.resolve("v%d.zarr".formatted(version)).toString();
    ZarrDataset dataset = ZarrDataset.create(path, version, HADOOP);
    FieldWriter writer = dataset.field("u", ElementType.F32, SHAPE, Extent.of(4, 7), LABELS);
    Box first = new Box(List.of(0L, 0L), Extent.of(4, 7)); // the other chunk is not written
    double[] cells = FieldFixtures.cells(SHAPE, first, "f4");
    writer.write(first, FieldFixtures.typed(cells, ElementType.F32), HADOOP);
    writer.commit(HADOOP);
    LABELS.coordinates().forEach(dataset::coordinate);
    assertThatThrownBy(() -> FieldPaths.open(path, HADOOP)).isInstanceOf(FieldFileException.class);
    dataset.complete(Map.of("source", "a test"));
    return path;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void cellsAxesAndAttributesComeBack(int version) {
    String path = write(version);
    try (FieldReader field = FieldPaths.open(path + "/u", HADOOP);
        FieldReader part = FieldPaths.open(path + "/u[lat=3]", HADOOP)) {
      assertThat(field.dimensionNames()).containsExactly("lat", "lon");
      assertThat(field.attributes()).containsEntry("units", "K").doesNotContainKeys("scale_factor");
      assertThat(field.attributes()).doesNotContainKeys("_FillValue", "coordinates");
      float[] cells = (float[]) field.read(FieldFixtures.whole(SHAPE), ElementType.F32);
      Box row = new Box(List.of(3L, 0L), Extent.of(1, 7));
      assertThat((double[]) part.read(Box.whole(Extent.of(7)), ElementType.F64))
          .isEqualTo(FieldFixtures.cells(SHAPE, row, "f4"));
      assertThat(cells[0]).isEqualTo((float) FieldFixtures.cell(0, "f4"));
      assertThat(cells[28]).isNaN();
    }
    FieldLabels labels = FieldPaths.labels(path + "/u[1:5]", false, HADOOP);
    assertThat(labels.coordinates()).containsOnlyKeys("lat");
    assertThat(labels.coordinates().get("lat").values()).containsExactly(55, 50, 45, 40);
    assertThat(labels.coordinates().get("lat").attributes())
        .isEqualTo(Map.of("units", "degrees_north"));
  }

  @Test
  void metadataOfVersion2AreAllInOneFileAsXarrayReadsThem() throws IOException {
    Path path = Path.of(write(2));
    ObjectMapper mapper = new ObjectMapper();
    JsonNode all = mapper.readTree(path.resolve(".zmetadata").toFile());
    assertThat(all.get("zarr_consolidated_format").asInt()).isEqualTo(1);
    for (String file :
        List.of(".zgroup", ".zattrs", "u/.zarray", "u/.zattrs", "lat/.zarray", "lat/.zattrs")) {
      assertThat(all.get("metadata").get(file))
          .isEqualTo(mapper.readTree(path.resolve(file).toFile()));
    }
    assertThat(all.get("metadata")).hasSize(6);
    JsonNode array = all.at("/metadata/u~1.zarray");
    assertThat(array.get("dtype").asText()).isEqualTo("<f4");
    assertThat(array.get("fill_value").asText()).isEqualTo("NaN");
    assertThat(array.at("/compressor/id").asText()).isEqualTo("zstd");
    assertThat(all.at("/metadata/u~1.zattrs/_ARRAY_DIMENSIONS")).hasToString("[\"lat\",\"lon\"]");
    assertThat(path.resolve("u/0.0")).isNotEmptyFile();
    assertThat(path.resolve("u/1.0")).doesNotExist();
  }

  @Test
  void metadataOfVersion3AreInThoseOfTheGroup() throws IOException {
    Path path = Path.of(write(3));
    ObjectMapper mapper = new ObjectMapper();
    JsonNode group = mapper.readTree(path.resolve("zarr.json").toFile());
    assertThat(group.at("/attributes/source").asText()).isEqualTo("a test");
    for (String array : List.of("u", "lat")) {
      assertThat(group.at("/consolidated_metadata/metadata/" + array))
          .isEqualTo(mapper.readTree(path.resolve(array + "/zarr.json").toFile()));
    }
  }

  @Test
  void anAxisWithoutCoordinatesHasNone() throws IOException {
    Path small = FieldFixtures.unpack("small", folder);
    FieldLabels labels =
        FieldPaths.labels(
            small.resolve("netcdf/netcdf4-fixed.nc/group/u").toString(), false, HADOOP);
    assertThat(labels.dimensionNames()).containsExactly("y", "x");
    assertThat(labels.attributes()).isEqualTo(Map.of("units", "K"));
    assertThat(labels.coordinates()).isEmpty();
    assertThatThrownBy(
            () -> FieldPaths.open(small.resolve("netcdf/netcdf4-fixed.nc/y").toString(), HADOOP))
        .isInstanceOf(FieldFileException.class)
        .hasMessageContaining("is an axis without coordinates; name a variable");
  }

  @Test
  void refusesOtherVersionsNamesAndPlaces() throws IOException {
    String path = folder.resolve("other.zarr").toString();
    assertThatThrownBy(() -> ZarrDataset.create(path, 4, HADOOP))
        .hasMessageContaining("version 4 of Zarr is not written; use 2 or 3");
    ZarrDataset dataset = ZarrDataset.create(path, 2, HADOOP);
    for (String name : List.of("../u", ".u", "a/b", "")) {
      assertThatThrownBy(() -> dataset.field(name, ElementType.F64, SHAPE, Extent.of(6, 7), LABELS))
          .isInstanceOf(FieldFileException.class)
          .hasMessageContaining("is not the name of another array");
    }
    dataset.field("u", ElementType.F64, SHAPE, Extent.of(6, 7), LABELS);
    assertThatThrownBy(() -> dataset.field("u", ElementType.F64, SHAPE, Extent.of(6, 7), LABELS))
        .hasMessageContaining("\"u\" is not the name of another array");
    assertThatThrownBy(() -> ZarrDataset.create(path, 2, HADOOP))
        .hasMessageContaining("exists already");
    dataset.abort();
    assertThat(Files.exists(Path.of(path))).isFalse();
  }
}
