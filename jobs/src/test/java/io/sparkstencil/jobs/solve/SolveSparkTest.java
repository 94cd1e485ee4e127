/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sparkstencil.grid.Box;
import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.TestSpark;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.spark.files.FieldReader;
import io.sparkstencil.spark.files.paths.FieldPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Equations on grids, compared with what is known of them. */
final class SolveSparkTest {
  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  @Test
  void aSineDecaysAtTheRateOfItsEigenvalueWhateverTheBlocks() {
    Path first = folder.resolve("sine.npy");
    assertDone(
        solve("--equation heat --grid 48x32 --field u=plane-wave --steps 0 --output " + first));
    String options =
        "--equation heat --grid 48x32 --boundary periodic --dt 0.2 --steps 40 --field u=" + first;
    Path one = folder.resolve("one.npy");
    Path many = folder.resolve("many.npy");

    assertDone(solve(options + " --blocks 1 --output " + one));
    assertDone(solve(options + " --blocks 6 --steps-per-exchange 3 --output " + many));

    double growth = 1 + 0.2 * (2 * Math.cos(2 * Math.PI * 4 / 32) - 2);
    double[] before = cells(first, 48, 32);
    double[] after = cells(one, 48, 32);
    for (int i = 0; i < before.length; i++) {
      assertThat(after[i]).isEqualTo(before[i] * Math.pow(growth, 40), within(1e-13));
    }
    assertThat(many).hasSameBinaryContentAs(one);
  }

  @Test
  void reportsWhatWasSolvedAndKeepsTheHeat() throws IOException {
    Path json = folder.resolve("report.json");
    Path plot = folder.resolve("plot.png");

    CommandRun run =
        solve(
            "--equation heat --grid 40x30 --steps 25 --type f32 --report "
                + json
                + " --plot "
                + plot);

    assertDone(run);
    assertThat(run.out())
        .contains("heat: u after 25 steps, t = 5.000", "engine  cpu", "written " + plot);
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.get("equation").asText()).isEqualTo("heat");
    assertThat(report.get("grid").toString()).isEqualTo("[40,30]");
    assertThat(report.get("type").asText()).isEqualTo("f32");
    assertThat(report.get("dt").asDouble()).isEqualTo(0.2);
    assertThat(report.get("steps").asLong()).isEqualTo(25);
    assertThat(report.get("engine").asText()).isEqualTo("cpu");
    assertThat(report.get("blocks")).isNotEmpty();
    assertThat(report.get("stepsPerExchange").asInt()).isPositive();
    assertThat(report.get("cellStepsPerSecond").asDouble()).isPositive();
    double before = report.at("/before/u/sum").asDouble();
    assertThat(report.at("/after/u/sum").asDouble()).isEqualTo(before, within(before * 1e-6));
    assertThat(report.at("/after/u/max").asDouble())
        .isLessThan(report.at("/before/u/max").asDouble());
    assertThat(report.get("plot").asText()).isEqualTo(plot.toString());
    assertThat(ImageIO.read(plot.toFile()).getWidth()).isGreaterThan(700);
  }

  @Test
  void sourcesAreFormulasOrTablesOfTheSameNumbers() throws IOException {
    Path table = folder.resolve("table.csv");
    Files.writeString(table, "field,x,y,step,value\nu,3,4,0,0.5\nu,3,4,1,1\nu,3,4,2,1.5\n");
    Path one = folder.resolve("one.npy");
    Path other = folder.resolve("other.npy");
    String common = "--equation heat --grid 8x9 --dt 0.25 --steps 6 --field u=0 --output ";

    assertDone(solve(common + one + " --source " + table));
    assertDone(solve(common + other + " --set f=2 --source u[3,4]+=f*t\twhile\tt<0.9"));

    assertThat(other).hasSameBinaryContentAs(one);
    assertThat(cells(one, 8, 9)[3 * 9 + 4]).isPositive();
  }

  @Test
  void beginsWithTheRowsOfATable() throws IOException {
    Path table = folder.resolve("cells.csv");
    Files.writeString(table, "y,u,x\n2,5,1\n0,-1.5,3\n");
    Path output = folder.resolve("rows.npy");

    assertDone(
        solve(
            "--equation heat --grid 4x3 --steps 0 --rows %s --output %s".formatted(table, output)));
    assertThat(cells(output, 4, 3)).containsExactly(0, 0, 0, 0, 0, 5, 0, 0, 0, -1.5, 0, 0);

    Path previous = folder.resolve("previous.npy");
    assertDone(
        solve(
            "--equation wave --grid 4x3 --steps 0 --show previous --rows %s --output %s"
                .formatted(table, previous)));
    assertThat(previous).hasSameBinaryContentAs(output);

    assertThat(solve("--equation heat --grid 4x3 --steps 0 --field u=1 --rows " + table).err())
        .contains("field u is given twice");
    assertThat(solve("--equation heat --grid 4 --steps 0 --rows " + table).exitCode()).isZero();
    assertThat(solve("--equation heat --grid 4x3x2 --steps 0 --rows " + table).err())
        .contains("has the columns [y, u, x], and positions along [x, y, z] are needed");
    Files.writeString(table, "x,y,q\n1,1,1\n");
    assertThat(solve("--equation heat --grid 4x3 --steps 0 --overwrite --rows " + table).err())
        .contains("none of them is a field of [u]");
  }

  @Test
  void programsKnowTheStepAndItsTime() throws IOException {
    Path program = folder.resolve("clock.stencil");
    Files.writeString(program, "u' = u + t + 100*step + dt");
    Path output = folder.resolve("clock.npy");

    assertDone(
        solve(
            "--equation %s --grid 5 --dt 0.5 --steps 4 --blocks 2 --steps-per-exchange 3 --output %s"
                .formatted(program, output)));
    assertThat(cells(output, 5)).containsOnly(0.5 * 6 + 100 * 6 + 4 * 0.5);

    assertDone(
        solve(
            "--equation %s --grid 5 --dt 0.5 --steps 4 --set t=1 --overwrite --output %s"
                .formatted(program, output)));
    assertThat(cells(output, 5)).containsOnly(4 + 100 * 6 + 4 * 0.5);
  }

  @Test
  void anAxisOfOneCellAddsNothing() {
    Path thin = folder.resolve("thin.npy");
    Path line = folder.resolve("line.npy");

    assertDone(
        solve("--equation heat --grid 20x1 --dt 0.4 --field u=x*x --steps 9 --output " + thin));
    assertDone(
        solve("--equation heat --grid 20 --dt 0.4 --field u=x*x --steps 9 --output " + line));

    double[] expected = cells(line, 20);
    double[] found = cells(thin, 20, 1);
    for (int i = 0; i < found.length; i++) {
      assertThat(found[i]).isEqualTo(expected[i], within(1e-11));
    }
  }

  @Test
  void aStepTooLongFailsAndSaysWhere() throws IOException {
    Path heat = Files.writeString(folder.resolve("heat.stencil"), "u + dt*laplacian(u)");
    String options = "--equation " + heat + " --grid 24x24 --field u=gaussian --dt 10";
    Path json = folder.resolve("report.json");

    CommandRun run = solve(options + " --steps 100000 --report " + json);
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.errorLines())
        .last()
        .asString()
        .containsPattern(
            "field u has (ceased to be finite|grown without bound) between step [0-9]+ and step")
        .contains("the cell at [");
    assertThat(json).doesNotExist();

    run = solve(options + " --steps 300 --diverging warn --report " + json);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("576 cells NaN");
    assertThat(run.err()).contains("warning: field u ");
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.at("/diverging/field").asText()).isEqualTo("u");
    assertThat(report.at("/after/u/missing").asLong()).isEqualTo(576);
    assertThat(report.at("/before/u/missing").asLong()).isZero();
  }

  @Test
  void stopsWhenAllButLandHasSettled() throws IOException {
    Path sea =
        Files.writeString(
            folder.resolve("sea.stencil"),
            "u' = where(u == u, u + 0.2*where(u[-1] == u[-1], u[-1] - u, 0)"
                + " + 0.2*where(u[1] == u[1], u[1] - u, 0), u)");
    Path json = folder.resolve("report.json");

    CommandRun run =
        solve(
            "--equation "
                + sea
                + " --grid 20 --field u=where(x<4,0/(x-x),x) --until change<1e-6 --check 50 --report "
                + json);

    assertDone(run);
    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.get("change").asDouble()).isBetween(0.0, 1e-6);
    assertThat(report.get("steps").asLong()).isLessThan(10_000);
    assertThat(report.at("/after/u/missing").asLong()).isEqualTo(4);
    assertThat(report.at("/after/u/max").asDouble()).isEqualTo(11.5, within(1e-3));
    assertThat(report.at("/after/u/sum").asDouble()).isEqualTo(16 * 11.5, within(1e-9));
  }

  @Test
  void stopsWhenNothingChanges() throws IOException {
    Path json = folder.resolve("report.json");

    assertDone(solve("--equation heat --grid 12 --until change<1e-9 --check 10 --report " + json));

    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.get("change").asDouble()).isBetween(0.0, 1e-9);
    assertThat(report.get("steps").asLong() % 10).isZero();
    assertThat(report.at("/after/u/max").asDouble())
        .isEqualTo(report.at("/after/u/min").asDouble(), within(1e-7));
  }

  @Test
  void aPulseReachesReceiversAtItsSpeed() throws IOException {
    Path source = Files.writeString(folder.resolve("source.csv"), "field,x,step,value\nu,10,0,1\n");
    Path receivers =
        Files.writeString(folder.resolve("ears.csv"), "name,field,x\nnear,u,15\nfar,u,40\n");
    Path samples = folder.resolve("heard.csv");

    assertDone(
        solve(
            "--equation wave --grid 60 --dt 1 --field u=0 --steps 32 --blocks 2 --source %s --receivers %s --samples %s"
                .formatted(source, receivers, samples)));

    List<String> lines = Files.readAllLines(samples);
    assertThat(lines).hasSize(1 + 32);
    assertThat(lines.get(0)).isEqualTo("step,time,near,far");
    // At this time step, one cell per step, the scheme moves a pulse exactly.
    assertThat(firstHeard(lines, 2)).isEqualTo(1 + 5);
    assertThat(firstHeard(lines, 3)).isEqualTo(1 + 30);
  }

  private static int firstHeard(List<String> lines, int column) {
    return IntStream.range(1, lines.size())
        .filter(step -> Double.parseDouble(lines.get(step).split(",")[column]) != 0)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aRunGoesOnFromItsCheckpoint() throws IOException {
    Path kept = folder.resolve("kept");
    Path whole = folder.resolve("whole.npy");
    Path resumed = folder.resolve("resumed.npy");
    Path json = folder.resolve("report.json");
    Path receivers =
        Files.writeString(folder.resolve("ears.csv"), "name,field,x,y\na,u,3,4\nb,u,20,11\n");
    Path heard = folder.resolve("heard.csv");
    Path heardLater = folder.resolve("later.csv");
    String options =
        "--equation wave --grid 24x20 --blocks 2 --steps-per-exchange 2 --receivers %s --overwrite "
            .formatted(receivers);

    assertDone(solve(options + "--steps 40 --output %s --samples %s".formatted(whole, heard)));
    assertDone(
        solve(
            options
                + "--steps 20 --every 2 --checkpoint %s --samples %s".formatted(kept, heardLater)));
    assertDone(
        solve(
            options
                + "--steps 40 --resume %s --output %s --report %s --samples %s"
                    .formatted(kept, resumed, json, heardLater)));

    assertThat(resumed).hasSameBinaryContentAs(whole);
    assertThat(heardLater).hasSameBinaryContentAs(heard);
    assertThat(new ObjectMapper().readTree(json.toFile()).get("steps").asLong()).isEqualTo(40);
    CommandRun backwards =
        solve(options + "--steps 3 --samples %s --resume %s".formatted(heardLater, kept));
    assertThat(backwards.err()).contains("beyond --steps 3; use at least --steps");
  }

  @Test
  void aFileOfAProgramRunsWithItsNumbers() throws IOException {
    Path program =
        Files.writeString(
            folder.resolve("decay.stencil"), "# decay\nu' = u[0,0,0] - dt*k*u[0,0,0]");
    Path zarr = folder.resolve("u.zarr");
    Path plot = folder.resolve("plot.png");

    assertDone(
        solve(
            "--equation %s --grid 3x4x5 --set k=2 --dt 0.25 --steps 3 --field u=x+8*y+64*z --output %s --plot %s"
                .formatted(program, zarr, plot)));

    double[] cells = cells(zarr, 3, 4, 5);
    assertThat(cells[(2 * 4 + 3) * 5 + 4]).isEqualTo((2 + 8 * 3 + 64 * 4) / 8.0);
    assertThat(ImageIO.read(plot.toFile()).getWidth()).isGreaterThan(1000);
  }

  @Test
  void animationsHaveAFrameBeforeTheFirstStepAndAfterEachSnapshot() throws IOException {
    Path plane = folder.resolve("plane.gif");
    Path line = folder.resolve("line.gif");

    assertDone(
        solve("--equation gray-scott --grid 30x40 --steps 20 --snapshot 8 --animate " + plane));
    assertDone(solve("--equation advection --grid 90 --steps 4 --snapshot 2 --animate " + line));

    assertThat(frames(plane)).isEqualTo(4);
    assertThat(frames(line)).isEqualTo(3);
  }

  @Test
  void leavesNothingBehindWhenItFails() {
    CommandRun run =
        solve(
            "--equation heat --grid 9x9 --field u=%s --output %s"
                .formatted(folder.resolve("absent.npy"), folder.resolve("u.npy")));

    assertThat(run.exitCode()).isNotEqualTo(ExitCode.DONE);
    assertThat(run.errorLines()).hasSize(1).first().asString().contains("absent.npy");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void saysWhereChunksOfFirstCellsAreMissing() throws IOException {
    Path zarr = folder.resolve("u.zarr");
    assertDone(solve("--equation heat --grid 8x8 --steps 0 --output " + zarr));
    Files.delete(zarr.resolve("c/0/0"));

    CommandRun run = solve("--equation heat --grid 8x8 --steps 1 --field u=" + zarr);

    assertThat(run.exitCode()).isZero();
    assertThat(run.errorLines())
        .hasSize(1)
        .first()
        .asString()
        .startsWith("stencil: note: 1 of 1 chunks of")
        .contains(zarr.toString(), "have the fill value 0");

    Files.createDirectory(zarr.resolve("c/0/0"));
    run = solve("--equation heat --grid 8x8 --steps 1 --field u=" + zarr);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_DATA);
    assertThat(run.errorLines()).last().asString().contains("u.zarr/c/0/0");
  }

  private static CommandRun solve(String options) {
    List<String> words = new ArrayList<>(List.of("solve"));
    words.addAll(Arrays.asList(options.split(" ")));
    return CommandRun.of(words);
  }

  private static void assertDone(CommandRun run) {
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }

  private static double[] cells(Path file, Integer... sizes) {
    try (FieldReader reader = FieldPaths.open(file.toString(), new Configuration(false))) {
      return (double[]) reader.read(Box.whole(Extent.of(sizes)), ElementType.F64);
    }
  }

  private static int frames(Path gif) throws IOException {
    try (ImageInputStream stream = ImageIO.createImageInputStream(gif.toFile())) {
      ImageReader reader = ImageIO.getImageReaders(stream).next();
      reader.setInput(stream);
      return reader.getNumImages(true);
    }
  }
}
