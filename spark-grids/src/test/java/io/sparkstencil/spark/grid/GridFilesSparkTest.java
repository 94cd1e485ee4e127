/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.Box;
import io.sparkstencil.grid.FieldBox;
import io.sparkstencil.grid.PointSource;
import io.sparkstencil.grid.Receiver;
import io.sparkstencil.model.Boundary;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.WithSpark;
import io.sparkstencil.spark.files.FieldFixtures;
import io.sparkstencil.spark.files.npy.NpyFile;
import io.sparkstencil.spark.files.paths.FieldPaths;
import io.sparkstencil.spark.files.zarr.ZarrGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What goes into grids and comes out: files, rows, checkpoints, sources and receivers. */
@WithSpark
@Timeout(120)
final class GridFilesSparkTest {
  private static SparkSession spark;
  @TempDir Path folder;

  @BeforeAll
  static void start(SparkSession session) {
    spark = session;
  }

  private final WholeGrid whole = WholeGrid.heat(Boundary.REFLECT);

  private String path(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void writesFilesThatAnotherGridBeginsWith() {
    try (StencilGrid grid = whole.builder(spark).blocks(6).create().step(4)) {
      grid.writeNpy("u", path("u.npy"));
      grid.writeZarr(path("all.zarr"));
    }
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    String zarr = ZarrGroup.open(path("all.zarr"), hadoop).path("k");
    try (NpyFile written = NpyFile.open(path("u.npy"), hadoop);
        StencilGrid grid =
            StencilGrids.builder(spark, whole.program())
                .extent(40, 30)
                .type(ElementType.F32)
                .file("u", path("u.npy"))
                .file("k", zarr)
                .parameter("a", 0.2)
                .blocks(5)
                .create()) {
      assertThat(written.read(Box.whole(whole.extent()), ElementType.F32))
          .isEqualTo(whole.after(4));
      assertThat(grid.step(3).read("u")).isEqualTo(whole.after(7));
    }
  }

  @Test
  void filesOfAStoreAreDecodedAndExplained() throws IOException {
    Path science = FieldFixtures.unpack("science", folder);
    String packed = science.resolve("xarray.zarr/t2m").toString();
    try (StencilGrid grid =
        StencilGrids.builder(spark, ProgramText.parse("u' = u + 0*v[0,1]", 2))
            .extent(6, 7)
            .file("u", packed)
            .file("v", FieldPaths.rawSource(packed))
            .blocks(2)
            .create()) {
      assertThat(grid.read("u")).isEqualTo(readNpy(science.resolve("expected/t2m.npy").toString()));
      assertThat(grid.read("v")).isEqualTo(readNpy(science.resolve("stored/t2m.npy").toString()));
      assertThat(grid.decodings())
          .isEqualTo(Map.of("u", "int16 times 0.01 plus 280, NaN where -32767"));
      assertThat(grid.explain())
          .contains("first cells of u: int16 times 0.01 plus 280, NaN where -32767");
    }
  }

  private static Object readNpy(String path) {
    try (NpyFile file = NpyFile.open(path, spark.sparkContext().hadoopConfiguration())) {
      return file.read(Box.whole(Extent.of(6, 7)), ElementType.F64);
    }
  }

  @Test
  void refusesAFileOfAnotherExtent() {
    try (StencilGrid grid = whole.builder(spark).create()) {
      grid.writeNpy("u", path("u.npy"));
    }
    GridBuilder builder =
        StencilGrids.builder(spark, ProgramText.parse("u' = u[0,1]"))
            .extent(40, 31)
            .file("u", path("u.npy"));

    assertThatThrownBy(builder::create)
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("[40, 30]")
        .hasMessageContaining("[40, 31]");
  }

  @Test
  void boxesOfAnRddGoIn() {
    StencilGrid before = whole.builder(spark).blocks(1).create().step(2);
    List<FieldBox> boxes = new ArrayList<>();
    for (int x = 0; x < 40; x += 8) {
      for (int y = 0; y < 30; y += 10) {
        Box box = Box.between(List.of((long) x, (long) y), List.of(x + 8L, y + 10L));
        Object u = before.read("u", box);
        boxes.add(new FieldBox(box, Map.of("u", x < 16 ? doubles((float[]) u) : u)));
      }
    }
    before.close();
    JavaRDD<FieldBox> rdd = new JavaSparkContext(spark.sparkContext()).parallelize(boxes, 4);
    try (StencilGrid grid =
        whole.bareBuilder(spark).boxes(rdd, List.of("u")).parameter("a", 0.2).blocks(6).create()) {
      assertThat(grid.step(3).read("u")).isEqualTo(whole.after(5));
    }
  }

  private static double[] doubles(float[] cells) {
    return IntStream.range(0, cells.length).mapToDouble(i -> cells[i]).toArray();
  }

  @ParameterizedTest
  @CsvSource({"2, is in another box", "6, is outside the grid of [8] cells"})
  void boxesThatOverlapOrLeaveTheGridAreRefused(long start, String message) {
    List<FieldBox> boxes =
        Stream.of(0L, start)
            .map(at -> Box.between(List.of(at), List.of(at + 3)))
            .map(box -> new FieldBox(box, Map.of("u", new double[3])))
            .toList();
    JavaRDD<FieldBox> rdd = new JavaSparkContext(spark.sparkContext()).parallelize(boxes, 2);
    try (StencilGrid grid =
        StencilGrids.builder(spark, ProgramText.parse("u' = u[1]"))
            .extent(8)
            .boxes(rdd, List.of("u"))
            .blocks(2)
            .create()) {
      assertThatThrownBy(() -> grid.step(1)).hasStackTraceContaining(message);
    }
  }

  @Test
  void goesOnFromItsLastCheckpoint() {
    GridBuilder builder =
        whole.builder(spark).blocks(4).stepsPerExchange(2).checkpoints(path("checkpoints"), 3);
    try (StencilGrid grid = builder.create()) {
      StencilGrid later = grid.step(20);
      assertThat(later.metrics().checkpoints()).isPositive();
      assertThat(later.step(3).read("u")).isEqualTo(whole.after(23));
      assertThat(later.read("u")).as("computed again").isEqualTo(whole.after(20));
    }
    Configuration hadoop = spark.sparkContext().hadoopConfiguration();
    assertThat(ZarrGroup.open(path("checkpoints"), hadoop).groups()).hasSize(1);

    GridBuilder other =
        StencilGrids.builder(spark, whole.program())
            .parameter("a", 0.2)
            .blocks(3)
            .resume(path("checkpoints"));
    try (StencilGrid resumed = other.create()) {
      long from = resumed.steps();
      assertThat(from).isBetween(18L, 23L);
      assertThat(resumed.type()).isEqualTo(ElementType.F32);
      assertThat(resumed.step(30 - from).read("u")).isEqualTo(whole.after(30));
    }
    assertThatThrownBy(
            () ->
                StencilGrids.builder(spark, ProgramText.parse("u' = u[1]"))
                    .resume(path("checkpoints"))
                    .create())
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("another program");
  }

  @Test
  void checkpointsReplaceWhatIsLeftOfUnfinishedOnes() throws IOException {
    Files.createDirectories(folder.resolve("kept")); // and nothing in it
    GridBuilder builder =
        whole.builder(spark).blocks(4).stepsPerExchange(2).checkpoints(path("kept"), 2);
    try (StencilGrid grid = builder.create()) {
      for (int step = 2; step < 12; step += 2) {
        Path chunks = folder.resolve("kept/step-%015d/u/c/0".formatted(step));
        Files.createDirectories(chunks);
        Files.write(chunks.resolve("0"), new byte[] {1, 2, 3});
      }
      StencilGrid later = grid.step(12);
      assertThat(later.metrics().checkpoints()).isPositive();
    }
    try (StencilGrid resumed = whole.builder(spark).resume(path("kept")).create()) {
      assertThat(resumed.read("u")).isEqualTo(whole.after(resumed.steps()));
    }
  }

  @Test
  void samplesBeforeACheckpointAreKeptWithIt() {
    Receiver near = new Receiver("u", new long[] {21, 16}, "near");
    Receiver far = new Receiver("u", new long[] {3, 29}, "far");
    List<Double> expected = new ArrayList<>();
    whole.stepwise(26, near.cell(), new double[0], 21 * 30 + 16, expected);
    double[] heard = expected.stream().mapToDouble(Double::doubleValue).toArray();
    long step = 0;
    for (List<Receiver> receivers : List.of(List.of(near), List.of(near), List.of(far, near))) {
      GridBuilder builder =
          whole.builder(spark).blocks(4).stepsPerExchange(2).checkpoints(path("kept"), 2);
      if (step > 0) {
        builder.resume(path("kept"));
      }
      try (StencilGrid begun = builder.receivers(receivers).create();
          StencilGrid grid = begun.step(step + 8 - begun.steps())) {
        Map<String, double[]> samples = grid.samples();
        assertThat(samples.get("near")).containsExactly(Arrays.copyOf(heard, (int) grid.steps()));
        if (receivers.contains(far)) {
          int from = (int) begun.steps();
          assertThat(samples.get("far")).hasSize((int) grid.steps()).startsWith(Double.NaN);
          assertThat(Arrays.copyOfRange(samples.get("far"), 0, from)).containsOnly(Double.NaN);
          assertThat(Arrays.copyOfRange(samples.get("far"), from, (int) grid.steps()))
              .isNotEmpty()
              .doesNotContain(Double.NaN);
        }
        step = grid.steps();
      }
    }
    try (StencilGrid other =
        whole.builder(spark).resume(path("kept")).receivers(List.of(moved(near))).create()) {
      assertThat(other.step(1).samples().get("near"))
          .as("the cell is another now, so that its samples begin here")
          .hasSize(1);
    }
  }

  private static Receiver moved(Receiver receiver) {
    return new Receiver(receiver.field(), new long[] {0, 0}, receiver.name());
  }

  /** A step at a time, with additions between, on the whole grid and by blocks. */
  @ParameterizedTest
  @CsvSource({"1, 4", "6, 1", "6, 5", "15, 8"})
  void sourcesAndReceiversSeeEveryStep(int blocks, int atOnce) {
    double[] series = {1, -2, 4.25, 0, 3};
    long[] cell = {20, 14};
    Receiver receiver = new Receiver("u", new long[] {21, 16}, "near");
    List<Double> expected = new ArrayList<>();
    Object cells = whole.stepwise(9, cell, series, 21 * 30 + 16, expected);
    try (StencilGrid grid =
        whole
            .builder(spark)
            .blocks(blocks)
            .stepsPerExchange(atOnce)
            .sources(List.of(new PointSource("u", cell, series)))
            .receivers(List.of(receiver))
            .create()) {
      StencilGrid later = grid.step(4).step(5);

      assertThat(later.read("u")).isEqualTo(cells);
      assertThat(later.samples()).containsOnlyKeys("near");
      assertThat(later.samples().get("near"))
          .containsExactly(expected.stream().mapToDouble(Double::doubleValue).toArray());
      assertThat(grid.samples().get("near")).isEmpty();
    }
  }
}
