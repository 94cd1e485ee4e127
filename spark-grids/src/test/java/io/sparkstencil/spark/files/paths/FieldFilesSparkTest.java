/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.paths;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.Box;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.FieldSource;
import io.sparkstencil.spark.files.FieldWriter;
import io.sparkstencil.spark.grid.StencilGrid;
import io.sparkstencil.spark.grid.StencilGrids;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.SerializableConfiguration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Spark's tasks write a field and read it back, as docs/files.md shows, and read other formats. */
@WithSpark
final class FieldFilesSparkTest {
  private static final List<Long> SHAPE = List.of(50L, 70L);

  @TempDir private Path folder;

  private static List<Box> blocks() {
    List<Box> blocks = new ArrayList<>();
    for (long y = 0; y < SHAPE.get(0); y += 16) {
      for (long x = 0; x < SHAPE.get(1); x += 32) {
        Box block = new Box(List.of(y, x), Extent.of(16, 32));
        blocks.add(block.intersect(FieldFixtures.whole(SHAPE)).orElseThrow());
      }
    }
    return blocks;
  }

  private static void write(Box box, FieldWriter writer, SerializableConfiguration hadoop) {
    double[] cells = FieldFixtures.cells(SHAPE, box, "f4");
    writer.write(box, FieldFixtures.typed(cells, ElementType.F32), hadoop.value());
  }

  private static double wrongCells(Box box, FieldSource source, SerializableConfiguration hadoop) {
    double[] expected = FieldFixtures.cells(SHAPE, box, "f4");
    double[] found;
    try (FieldReader reader = source.open(hadoop.value())) {
      found = (double[]) reader.read(box, ElementType.F64);
    }
    double wrong = 0;
    for (int i = 0; i < expected.length; i++) {
      wrong += found[i] == expected[i] ? 0 : 1;
    }
    return wrong;
  }

  @ParameterizedTest
  @ValueSource(strings = {"u.npy", "u.zarr"})
  void tasksWriteBlocksAndReadOthers(String name, SparkSession spark) throws IOException {
    String path = folder.resolve(name).toString();
    JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
    SerializableConfiguration hadoop = new SerializableConfiguration(context.hadoopConfiguration());
    FieldWriter writer =
        FieldPaths.create(path, ElementType.F32, SHAPE, Extent.of(16, 32), hadoop.value());
    context.parallelize(blocks(), 5).foreach(box -> write(box, writer, hadoop));
    writer.commit(hadoop.value());

    FieldSource source = FieldPaths.source(path);
    List<Box> others = FieldFixtures.boxes(SHAPE);
    assertThat(
            context
                .parallelize(others, 3)
                .map(box -> wrongCells(box, source, hadoop))
                .reduce(Double::sum))
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hdf5/latest-chunked.h5/group/u",
        "hdf5/earliest-gzip.h5/group/u",
        "netcdf/netcdf4-grows.nc/group/u",
        "netcdf/netcdf3_classic-grows.nc/u",
        "tiff/deflate.tif[0]",
        "tiff/big.tif[band=0]"
      })
  void blocksOfAGridReadTheirBoxesOfFilesOfManyFormats(String name, SparkSession spark)
      throws IOException {
    Path small = FieldFixtures.unpack("small", folder);
    Extent extent = Extent.of(6, 7);
    try (StencilGrid grid =
        StencilGrids.builder(spark, ProgramText.parse("u' = u", 2))
            .extent(6, 7)
            .file("u", FieldPaths.rawSource(small.resolve(name).toString()))
            .blocks(4)
            .create()) {
      assertThat(grid.read("u"))
          .isEqualTo(FieldFixtures.cells(List.of(6L, 7L), Box.whole(extent), "i2"));
    }
  }
}
