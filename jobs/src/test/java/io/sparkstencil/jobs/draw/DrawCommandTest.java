/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.draw;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.grid.Box;
import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DrawCommandTest {
  @TempDir private Path folder;

  private CommandRun draw(String... more) {
    List<String> arguments = new ArrayList<>(List.of("draw", "--plot", plot().toString()));
    arguments.addAll(Arrays.asList(more));
    return CommandRun.of(arguments);
  }

  private Path plot() {
    return folder.resolve("plot.png");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "reference"})
  void everyEngineHasTheSameCells(String engine) {
    StencilProgram program =
        BoundaryText.apply(
            ProgramText.parse("v' = u[1,0] - c*v[0,-1]; u' = u + v'[0,1] - w[0,0]", 2), "wrap");
    LocalGrid run =
        new LocalGrid(
            program,
            "u' = x - 2*y; w' = 0.5",
            Map.of(),
            ElementType.F32,
            Extent.of(2, 3),
            1,
            Map.of("c", 2.0));
    LocalGrid.GridOutcome outcome = run.on(engine, Map.of());
    assertThat(outcome.engine()).isEqualTo(engine);
    // u is 0 -2 -4 / 1 -1 -3; v becomes 1 -1 -3 / 0 -2 -4
    assertThat(outcome.cells(program.field("v"))).containsExactly(1, -1, -3, 0, -2, -4);
    assertThat(outcome.cells(program.field("u")))
        .containsExactly(-1.5, -5.5, -3.5, -1.5, -5.5, -3.5);
    assertThat(outcome.cells(program.field("w"))).containsOnly(0.5);
  }

  @Test
  void drawsCellsAsColoursAndSaysWhatRan() throws IOException {
    CommandRun run =
        draw(
            "--expression",
            "u",
            "--start",
            "where(x < 10 and y >= 30, 1, sqrt(-1 - x))",
            "--extent",
            "20,40");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("engine  cpu: ", "1 step of 20 x 40 cells", "cells   ", "plot    " + plot());
    BufferedImage image = ImageIO.read(plot().toFile());
    int light = image.getRGB(60 + 35 * 25, 60 + 5 * 25);
    int missing = image.getRGB(60 + 5 * 25, 60 + 15 * 25);
    assertThat(light).isNotEqualTo(missing).isNotEqualTo(0xffffffff);
    assertThat(missing).isEqualTo(0xffb8bdc4);
  }

  @Test
  void replacesAPictureOnlyIfAsked() throws IOException {
    Files.writeString(plot(), "keep me");
    assertThat(draw("--expression", "u", "--start", "1").err()).contains("exists; choose another");
    assertThat(plot()).hasContent("keep me");
    assertThat(draw("--expression", "u", "--start", "1", "--overwrite").exitCode()).isZero();
    assertThat(ImageIO.read(plot().toFile())).isNotNull();
  }

  @Test
  void picturesLookAsTheyAreAskedTo() throws IOException {
    CommandRun run =
        draw(
            "--expression=u",
            "--start=where(x < 10, -1, where(x < 15, 3, sqrt(-1 - x)))",
            "--grid=20x40",
            "--title=Ice",
            "--quantity=height (m)",
            "--range=-1:3",
            "--colors=grey",
            "--missing=land=d8c9a8");

    assertThat(run.exitCode()).as(run.err()).isZero();
    BufferedImage image = ImageIO.read(plot().toFile());
    assertThat(image.getRGB(60 + 5 * 25, 60 + 5 * 25)).isEqualTo(0xff000000);
    assertThat(image.getRGB(60 + 5 * 25, 60 + 12 * 25)).isEqualTo(0xffffffff);
    assertThat(image.getRGB(60 + 5 * 25, 60 + 17 * 25)).isEqualTo(0xffd8c9a8);
  }

  @Test
  void writesCellsWithOrWithoutAPicture() throws IOException {
    Path cells = folder.resolve("cells.npy");
    CommandRun run =
        CommandRun.of(
            List.of(
                "draw", "--expression=2*u", "--start=x + y/4", "--grid=3x4", "--output=" + cells));

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("output  " + cells).doesNotContain("plot ");
    Configuration hadoop = new Configuration(false);
    try (FieldReader reader = FieldPaths.open(cells.toString(), hadoop)) {
      assertThat((double[]) reader.read(Box.whole(Extent.of(3, 4)), ElementType.F64))
          .containsExactly(0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5);
    }
    Path raster = folder.resolve("raster.tif");
    CommandRun again =
        draw("--expression=u+1", "--cells=u=" + cells, "--output=" + raster, "--type=f32");
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(plot()).exists();
    try (FieldReader reader = FieldPaths.open(raster.toString(), hadoop)) {
      assertThat((float[]) reader.read(Box.whole(Extent.of(3, 4)), ElementType.F32))
          .startsWith(1, 1.5f, 2)
          .endsWith(6.5f);
    }
    assertThat(
            draw("--expression=u", "--cells=u=" + cells, "--output=" + cells, "--overwrite").err())
        .contains("what is read");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "u' = u + t + 100*step|--parameter=dt=0.5|301.5",
        "u' = u + t + dt|--parameter=dt=0.5|3",
        "u' = u + t|--type=f64|3",
        "u' = u + t + step|--parameter=t=2|9"
      })
  void programsKnowTheStepAndItsTime(String expression, String option, double wanted) {
    Path cells = folder.resolve("cells.npy");
    CommandRun run =
        CommandRun.of(
            List.of(
                "draw",
                "--expression=" + expression,
                "--start=0",
                "--grid=2x2",
                "--steps=3",
                "--output=" + cells,
                option));

    assertThat(run.exitCode()).as(run.err()).isZero();
    try (FieldReader reader = FieldPaths.open(cells.toString(), new Configuration(false))) {
      assertThat((double[]) reader.read(Box.whole(Extent.of(2, 2)), ElementType.F64))
          .containsOnly(wanted);
    }
  }

  @Test
  void needsSomethingToWrite() {
    assertThat(CommandRun.of(List.of("draw", "--expression=u", "--start=1")).errorLines())
        .containsExactly(
            "stencil: nothing is to be written; give --plot FILE.png, or --output FILE for the cells");
  }

  @Test
  void needsCellsToBeginWith() {
    assertThat(draw("--expression", "u").errorLines())
        .containsExactly(
            "stencil: no cells to begin with; give them by --start TEXT or --cells NAME=PATH");
  }

  @Test
  void refusesAPictureWhoseNameIsThatOfAnotherKind() {
    Path plot = folder.resolve("plot.jpg");
    CommandRun run =
        CommandRun.of("draw", "--expression", "u", "--start", "0", "--plot", plot.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("--plot " + plot + " does not end in .png; name such a file");
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--start 1|draw needs --expression TEXT",
        "--expression u+|line 1, column",
        "--expression u[1]|line 1, column 1: u has 2 axes",
        "--expression u[0,0]+c|parameter c has no value; give values for [c]",
        "--expression u --set d=1|unknown option --set of draw; did you mean --parameter?",
        "--expression u --parameter d=1|the program has no parameter d",
        "--expression u --start u[0,1]|--start reads u, which has no cells yet",
        "--expression u --start 1+sine(x)|line 1, column 3: unknown function sine",
        "--expression u --start c|--start has the unknown names [c]",
        "--expression u --start v'=1|the program has no field v",
        "--expression u'=u+c[0,0]|field c is read and never updated, and --start gives it no cells",
        "--expression u --cells v=u.npy|the program has no field v",
        "--expression u --cells u=absent.zarr/u|absent.zarr/u",
        "--expression u --raw u|--raw u: the cells of u are those of no file",
        "--expression u --extent 5|--grid 5 has 1 numbers; give the cells along both axes",
        "--expression u --grid 5x0|--grid 5x0 has an axis without cells",
        "--expression u --steps -1|--steps -1; use at least 0",
        "--expression u --type i32|--type i32 is unknown; did you mean f32? --type takes f32, f64 (see",
        "--expression u --field w|the program has no field w",
        "--expression u --boundary torus|unknown boundary",
        "--expression u --accuracy half|unknown accuracy",
        "--expression u --engine abacus|unknown engine \"abacus\"",
        "--expression u --range 3|--range 3 is no range; write two numbers",
        "--expression u --range 3:3|--range 3:3 is no range",
        "--expression u --range a:b|--range a:b is no range",
        "--expression u --colors rainbow|--colors rainbow; use sequential, diverging or grey",
        "--expression u --missing land=brown|\"brown\" is no colour; write six digits",
        "--expression u --output u.csv|--output u.csv does not end in .npy or .zarr or .tif",
      })
  void refusesWrongOptionsInOneLine(String options, String message) {
    List<String> words = new ArrayList<>(Arrays.asList(options.split(" ")));
    if (!words.contains("--start")) {
      words.addAll(List.of("--start", "0"));
    }
    CommandRun run = draw(words.toArray(String[]::new));
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.errorLines()).hasSize(1).first().asString().contains(message);
    assertThat(folder).isEmptyDirectory();
  }
}
