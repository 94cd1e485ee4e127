/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import static io.sparkstencil.spark.files.FieldFixtures.HADOOP;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.files.npy.NpyFile;
import io.sparkstencil.spark.files.zarr.ZarrArray;
import io.sparkstencil.spark.files.zarr.ZarrCompression;
import io.sparkstencil.spark.files.zarr.ZarrLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that we write, as NumPy and zarr-python read them, on machines that have these. */
final class PythonReadsFilesTest {
  private static final List<Long> SHAPE = List.of(3L, 4L, 5L);

  @TempDir private Path folder;

  /** Runs Python and returns what it printed, or nothing if it failed. */
  private String python(String... arguments) throws IOException, InterruptedException {
    Path printed = folder.resolve("printed.txt");
    ProcessBuilder command = new ProcessBuilder("python3");
    command.command().addAll(List.of(arguments));
    command.redirectErrorStream(true).redirectOutput(printed.toFile());
    try {
      int status = command.start().waitFor();
      return status == 0 ? Files.readString(printed, UTF_8).strip() : "";
    } catch (IOException e) {
      return "";
    }
  }

  private String readBack(String kind, String path) throws IOException, InterruptedException {
    Path script = folder.resolve("read_back.py");
    try (var source = FieldFixtures.class.getResourceAsStream("/fields/read_back.py")) {
      Files.write(script, source.readAllBytes());
    }
    return python(script.toString(), kind, path);
  }

  private static String expected(ElementType type) {
    double[] cells = FieldFixtures.cells(SHAPE, FieldFixtures.whole(SHAPE), "f4");
    return "float%d (3, 4, 5) %s"
        .formatted(
            8 * type.bytes(),
            Arrays.stream(cells).mapToObj(String::valueOf).collect(Collectors.joining(" ")));
  }

  private static Object cells(ElementType type) {
    Box whole = FieldFixtures.whole(SHAPE);
    return FieldFixtures.typed(FieldFixtures.cells(SHAPE, whole, "f4"), type);
  }

  @ParameterizedTest
  @EnumSource(names = {"F32", "F64"})
  void numpyReadsArrays(ElementType type) throws IOException, InterruptedException {
    assumeTrue(
        python("-c", "import numpy; print(1)").equals("1"), "there is no python3 with numpy");
    String path = folder.resolve("u.npy").toString();
    NpyFile.write(path, Extent.of(3, 4, 5), cells(type), HADOOP);

    assertThat(readBack("npy", path)).isEqualTo(expected(type));
  }

  @ParameterizedTest
  @EnumSource
  void zarrReadsArrays(ZarrCompression compression) throws IOException, InterruptedException {
    assumeTrue(
        python("-c", "import zarr; print(int(zarr.__version__.split('.')[0]) > 2)").equals("True"),
        "there is no python3 with zarr 3");
    String path = folder.resolve("u.zarr").toString();
    ZarrLayout layout =
        ZarrLayout.of(ElementType.F32, SHAPE, Extent.of(2, 4, 3))
            .withCompression(compression)
            .withFill(Double.NaN)
            .withDimensionNames(List.of("z", "y", "x"))
            .withAttributes(Map.of("units", "K"));
    FieldWriter writer = ZarrArray.create(path, layout, HADOOP);
    writer.write(FieldFixtures.whole(SHAPE), cells(ElementType.F32), HADOOP);
    writer.commit(HADOOP);

    assertThat(readBack("zarr", path)).isEqualTo(expected(ElementType.F32));
  }
}
