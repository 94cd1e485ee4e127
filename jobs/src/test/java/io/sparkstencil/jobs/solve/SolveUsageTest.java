/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Errors that are found without starting Spark. */
final class SolveUsageTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--grid 8|no --equation; give heat, wave, advection, gray-scott, or FILE.stencil",
        "--equation burgers|unknown equation \"burgers\"",
        "--equation heat --grid 64 64|--grid takes one word, but \"64\" follows \"64\"; write 64x64",
        "--equation heat --check 1e6|--check 1e6 is no whole number; give one, such as 3",
        "--equation heat --grid 8x|--grid 8x is no extent",
        "--equation heat --grid 8x0|--grid 8x0 has an axis without cells",
        "--equation heat --grid 2x2x2x2|--grid 2x2x2x2 is no extent",
        "--equation heat --set speed=2|the equation heat has the constants",
        "--equation heat --set diffusivity=-1|diffusivity is -1.0; it must be finite and above 0",
        "--equation heat --dt 0.26|dt 0.26 is unstable: errors grow from step to step; use at most"
            + " 0.25",
        "--equation heat --grid 20x1 --dt 0.6|use at most 0.5",
        "--equation heat --grid 20x1 --dt 0.4 --boundary y=constant:0|use at most 0.25",
        "--equation heat --raw u|--raw u: the first cells of u are those of no file",
        "--equation heat --raw w|the program has no field w",
        "--equation heat --field u=store/t2m|nor is there a file store/t2m",
        "--equation wave --dt soon|--dt soon is neither a number nor auto",
        "--equation heat --field w=1|the program has no field w",
        "--equation heat --show w|the program has no field w",
        "--equation heat --boundary torus|known boundaries are reflect, mirror, nearest, wrap and",
        "--equation heat --accuracy half|unknown accuracy \"half\"",
        "--equation heat --steps -1|--steps -1; use at least 0",
        "--equation heat --until change<0|--until \"change<0\" is no condition",
        "--equation heat --until soon|write \"change<1e-6\"",
        "--equation heat --diverging never|--diverging never; use stop, warn or ignore",
        "--equation heat --largest 0|--largest 0.0; use a number above 0",
        "--equation heat --check 0|--check 0; use at least 1",
        "--equation heat --snapshot 5|--snapshot has no use without --animate",
        "--equation heat --receivers r.csv|--receivers needs --samples",
        "--equation heat --samples s.csv|--samples needs --receivers",
        "--equation heat --every 2|--every needs --checkpoint",
        "--equation heat --every 0 --checkpoint c|--every 0; use at least 1",
        "--equation heat --steps-per-exchange many|is neither a number nor auto",
        "--equation heat --engine abacus|unknown engine \"abacus\"",
        "--equation heat --plot p.gif|--plot p.gif does not end in .png",
        "--equation heat --output u.csv|--output u.csv does not end in .npy or .zarr or .tif",
        "--equation heat --grid 64 --output u.tif|a raster has two axes, and the grid has 1; write",
        "--equation heat --grid 4x4x4 --output u.TIFF|a raster has two axes, and the grid has 3",
        "--equation heat --grid 2x200000000 --output u.tif|the grid has 200000000 columns",
        "--equation heat --animate a.gif --steps 1000 --snapshot 2|use at least --snapshot 6",
        "--equation heat --source u[3]+=1|[3] is no cell of a grid with the axes [x, y]",
        "--equation heat --source u[3,3]+=f|nobody knows f; give it by --set f=NUMBER",
        "--equation heat --set q=2 --source u[3,3]+=1|the equation heat has the constants",
        "--equation heat --range 3|--range 3 is no range; write two numbers",
        "--equation absent.stencil|--equation absent.stencil does not exist; it would be /",
        "--equation heat --source absent.csv|--source absent.csv does not exist; it would be /",
        "--equation heat --receivers . --samples s.csv|--receivers . is a folder; name a file in it",
        "--equation heat --type i32|--type i32 is unknown; did you mean f32? --type takes f32, f64 (see",
        "--equation heat --cells u=u.npy|unknown option --cells of solve; did you mean --field?",
        "--equation heat --parameter k=1|unknown option --parameter of solve; did you mean --set?",
        "--equation heat --type f16|--type takes f32, f64 (see"
      })
  void refusesWrongOptionsInOneLine(String options, String message) {
    assertRefused(solve(options.split(" ")), message);
  }

  @Test
  void refusesFilesOfProgramsWithoutNumbers() throws IOException {
    String decay = Files.writeString(folder.resolve("decay.stencil"), "u - dt*k*u[0]").toString();

    assertRefused(solve("--equation", decay, "--grid", "8", "--set", "k=1"), "has a time step dt");
    assertRefused(
        solve("--equation", decay, "--grid", "8", "--dt", "0.1"), "parameter k has no value");
    assertRefused(solve("--equation", decay, "--grid", "8x8", "--set", "k=1"), "line 1, column 10");
  }

  @Test
  void refusesFieldsThatAreOnlyReadWithoutCells() throws IOException {
    Path around = folder.resolve("around.stencil");
    Files.writeString(around, "u' = where(rock[0] > 0, 0, u + 0.2*laplacian(u))");

    assertRefused(
        solve("--equation", around.toString(), "--grid", "8", "--field", "u=1"),
        "field rock is read and never updated, and no --field gives its cells; add --field rock=");
  }

  @Test
  void refusesToReplaceWhatIsThere() throws IOException {
    Path plot = Files.writeString(folder.resolve("plot.png"), "keep me");

    assertRefused(solve("--equation", "heat", "--plot", plot.toString()), "plot.png exists");
    assertThat(plot).hasContent("keep me");
  }

  @Test
  void namesThePlacesThatADiskWithoutRoomIsAbout() {
    SolveCommand command = new SolveCommand();
    new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs(
            "--equation", "heat", "--output", "b.npy", "--plot", "b.png", "--checkpoint", "k");

    assertThat(command.places()).containsExactly("b.png", "b.npy", "k");
  }

  @Test
  void helpSaysWhichFilesAFieldMayBeAndHowManyFramesThereAre() {
    String help = CommandRun.of("solve", "--help").out().replaceAll("\\s+", " ");

    assertThat(help).contains("FILE.npy, DIR.zarr or FILE.tif", "about 60 frames; 200 at most");
  }

  private static CommandRun solve(String... options) {
    List<String> words = new ArrayList<>(List.of("solve"));
    words.addAll(Arrays.asList(options));
    return CommandRun.of(words);
  }

  private static void assertRefused(CommandRun run, String message) {
    assertThat(run.errorLines()).hasSize(1).first().asString().contains(message);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(SparkEnv.get()).isNull();
  }
}
