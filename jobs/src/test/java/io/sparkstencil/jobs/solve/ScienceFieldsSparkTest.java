/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkstencil.grid.Box;
import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.TestSpark;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.cells.FieldLabels;
import io.sparkstencil.spark.files.npy.NpyFile;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Grids that begin with an array of a store as xarray writes it: packed, with missing values. */
final class ScienceFieldsSparkTest {
  /** What is said where first cells are missing, or nothing. */
  private static final String NOTE_OF_MISSING =
      "(stencil: note: field u begins with 1 cells that are NaN, [^\\n]*\\n)?";

  private static final Path HOME = Path.of(System.getProperty("stencil.home")).toAbsolutePath();

  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;
  private Path store;

  @BeforeEach
  void writeStore() throws IOException {
    store = folder.resolve("x.zarr");
    Path array = Files.createDirectories(store.resolve("t2m"));
    Files.writeString(store.resolve(".zgroup"), "{\"zarr_format\": 2}");
    Files.writeString(
        array.resolve(".zarray"),
        """
        {"zarr_format": 2, "shape": [2, 3], "chunks": [2, 3], "dtype": "<i2", "order": "C",
         "fill_value": -32767, "compressor": null, "filters": null}
        """);
    Files.writeString(
        array.resolve(".zattrs"),
        """
        {"_ARRAY_DIMENSIONS": ["y", "x"], "scale_factor": 0.01, "add_offset": 280.0,
         "missing_value": NaN}
        """);
    ByteBuffer numbers = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
    for (int number : new int[] {200, -32767, 0, -150, 1, 2}) {
      numbers.putShort((short) number);
    }
    Files.write(array.resolve("0.0"), numbers.array());
  }

  private static CommandRun command(String... words) {
    List<String> all = new ArrayList<>();
    Arrays.stream(words).forEach(each -> all.addAll(List.of(each.split(" "))));
    return CommandRun.of(all);
  }

  private double[] solved(String cells, String... more) {
    Path output = folder.resolve("u.npy");
    List<String> words = new ArrayList<>(List.of("solve --equation heat --grid 2x3 --steps 0"));
    words.addAll(List.of("--overwrite --field u=" + cells, "--output " + output));
    words.addAll(List.of(more));
    CommandRun run = command(words.toArray(String[]::new));
    assertThat(run.err()).matches(NOTE_OF_MISSING);
    assertThat(run.exitCode()).isZero();
    try (FieldReader reader = FieldPaths.open(output.toString(), new Configuration(false))) {
      return (double[]) reader.read(Box.whole(Extent.of(2, 3)), ElementType.F64);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "%s/t2m",
        "%s/t2m/",
        "file:%s/t2m",
        "file://%s/t2m",
        "%s/t2m[:,0:3]",
        "%s/t2m[x=:]"
      })
  void readsAnArrayInAGroupAndDecodesIt(String path) throws IOException {
    Path json = folder.resolve("report.json");

    double[] cells = solved(path.formatted(store), "--report " + json);

    assertThat(cells)
        .containsExactly(
            282.0, Double.NaN, 280.0, -150 * 0.01 + 280, 1 * 0.01 + 280, 2 * 0.01 + 280);
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.at("/decoded/u").asText())
        .isEqualTo("int16 times 0.01 plus 280, NaN where -32767");
  }

  @Test
  void aRasterStaysWhereItLay() {
    String heights = HOME.resolve("examples/data/jacksboro.tif") + "[100:150,20:]";
    Path output = folder.resolve("heights.tif");
    CommandRun run =
        command("solve --equation heat --steps 0 --field u=" + heights, "--output " + output);
    assertThat(run.exitCode()).as(run.err()).isZero();
    Configuration hadoop = new Configuration(false);
    FieldLabels before = FieldPaths.labels(heights, false, hadoop);
    FieldLabels after = FieldPaths.labels(output.toString(), false, hadoop);
    assertThat(after.coordinates().get("x").values())
        .isEqualTo(before.coordinates().get("x").values());
    assertThat(after.coordinates().get("y").values())
        .isEqualTo(before.coordinates().get("y").values());
    assertThat(after.attributes()).isEqualTo(before.attributes()).containsKey("GeoKeyDirectory");
    try (FieldReader one = FieldPaths.open(heights, hadoop);
        FieldReader other = FieldPaths.open(output.toString(), hadoop)) {
      Box whole = Box.whole(Extent.of(50, 260));
      assertThat(other.read(whole, ElementType.F64)).isEqualTo(one.read(whole, ElementType.F64));
    }
  }

  @Test
  void rawNumbersAreThoseThatAreStored() {
    assertThat(solved(store + "/t2m", "--raw u")).containsExactly(200, -32767, 0, -150, 1, 2);
  }

  @Test
  void aWaveIsAtRestWhereItsFileIsRead() {
    CommandRun run =
        command(
            "solve --equation wave --grid 2x3 --steps 0 --show previous --raw u --field u=%s/t2m"
                .formatted(store));

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("previous -32767.0 to 200.000");
  }

  @Test
  void drawsAnArrayOfAStore() {
    Path plot = folder.resolve("plot.png");

    CommandRun run =
        command("draw --expression u --steps 0 --cells u=%s/t2m --plot %s".formatted(store, plot));

    assertThat(run.err()).matches(NOTE_OF_MISSING);
    assertThat(run.out())
        .contains("decoded u: int16 times 0.01 plus 280, NaN where -32767")
        .contains("278.5 to 282.0; 1 are NaN or infinite");
    assertThat(plot).isNotEmptyFile();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aDatasetHasTheAxesCoordinatesAndAttributesOfTheFile(int version) throws IOException {
    Path axis = Files.createDirectories(store.resolve("y"));
    Files.writeString(
        axis.resolve(".zarray"),
        """
        {"zarr_format": 2, "shape": [2], "chunks": [2], "dtype": "<f8", "order": "C",
         "fill_value": null, "compressor": null, "filters": null}
        """);
    Files.writeString(axis.resolve(".zattrs"), "{\"units\": \"degrees_north\"}");
    ByteBuffer numbers = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    Files.write(axis.resolve("0"), numbers.putDouble(52.5).putDouble(50).array());
    Path dataset = folder.resolve("out.zarr");

    CommandRun run =
        command(
            "solve --equation heat --steps 0 --field u=%s/t2m --dataset %s --zarr-version %d"
                .formatted(store, dataset, version));

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("written ").contains("out.zarr");
    assertThat(dataset.resolve(version == 2 ? ".zmetadata" : "zarr.json")).isNotEmptyFile();
    Configuration hadoop = new Configuration(false);
    try (FieldReader u = FieldPaths.open(dataset + "/u", hadoop);
        FieldReader y = FieldPaths.open(dataset + "/y", hadoop)) {
      assertThat(u.dimensionNames()).containsExactly("y", "x");
      assertThat((double[]) u.read(Box.whole(Extent.of(2, 3)), ElementType.F64))
          .contains(282.0, Double.NaN, 280.0);
      assertThat((double[]) y.read(Box.whole(Extent.of(2)), ElementType.F64))
          .containsExactly(52.5, 50);
      assertThat(y.attributes()).containsEntry("units", "degrees_north");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[:]", "[0:1]"})
  void anOutputDoesNotReplaceTheFileThatItBeganWith(String slice) {
    Path file = folder.resolve("cells.npy");
    NpyFile.write(file.toString(), Extent.of(2, 3), new double[6], new Configuration(false));

    CommandRun run =
        command(
            "solve --equation heat --steps 0 --overwrite --field u=%s%s --output %s"
                .formatted(file, slice, file));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.errorLines()).first().asString().contains("would replace what is read");
  }

  @Test
  void namesTheSliceThatFitsTheGrid() {
    CommandRun run =
        command("solve --equation heat --grid 3 --steps 0 --field u=%s/t2m".formatted(store));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.errorLines())
        .hasSize(1)
        .first()
        .asString()
        .contains("[2, 3] cells, the grid has [3]")
        .contains("or a slice, by [y=0] behind its name");
  }

  @Test
  void namesTheArraysOfAGroup() {
    CommandRun run =
        command("solve --equation heat --grid 2x3 --steps 0 --field u=%s".formatted(store));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.errorLines())
        .hasSize(1)
        .first()
        .asString()
        .contains("x.zarr is a group, of the arrays [t2m]; name one of them")
        .contains("x.zarr/t2m");
  }
}
