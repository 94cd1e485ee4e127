/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.TestSpark;
import io.sparkstencil.jobs.command.CellRate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the commands of grids say at the terminal, and what docs/grids.md says of tables. */
final class WordsOfGridsSparkTest {
  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  @Test
  void noExchangeHasMoreStepsThanWereTaken() {
    CommandRun four = solve("--equation heat --grid 12x16 --steps 4 --steps-per-exchange 1113");
    CommandRun one = solve("--equation heat --grid 12x16 --steps 1");

    assertThat(four.out()).contains(", 4 steps per exchange");
    assertThat(one.out()).contains(", 1 step per exchange");
    assertThat(four.out()).containsPattern("time    .* [1-9][0-9.,]* [kM]? ?cell-steps per second");
  }

  @Test
  void aRunWithoutStepsHasNoRateAndNoEngine() throws IOException {
    Path report = folder.resolve("report.json");
    CommandRun solved = solve("--equation heat --grid 12x16 --steps 0 --report " + report);

    assertThat(solved.out())
        .contains("engine  none, blocks", "time    0.00 s, no step was taken")
        .doesNotContain("NaN");
    assertThat(report).content().contains("\"cellStepsPerSecond\" : 0.0").doesNotContain("NaN");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "61234|61.2 k cell-steps",
        "0.5|0.500  cell-steps",
        "999.6|1.00 k cell-steps",
        "7.2e6|7.20 M cell-steps",
        "123456789|123 M cell-steps",
        "5e12|5,000 G cell-steps"
      })
  void ratesHaveTheUnitInWhichTheyAreShort(double rate, String text) {
    assertThat(CellRate.text(rate)).isEqualToNormalizingWhitespace(text);
  }

  @Test
  void theGridIsThatOfTheFirstFileAndCellsThatAreNaNAreNoted() throws IOException {
    Path file = npy("warm.npy", 3, 5, 7);

    CommandRun solved = solve("--equation heat --steps 1 --diverging ignore --field u=" + file);
    CommandRun drawn =
        CommandRun.of(
            "draw", "--expression=u", "--cells=u=" + file, "--plot=" + folder.resolve("p.png"));

    assertThat(solved.exitCode()).as(solved.err()).isZero();
    assertThat(drawn.exitCode()).as(drawn.err()).isZero();
    assertThat(drawn.out()).contains("3 x 5 cells");
    assertThat(List.of(solved.err(), drawn.err()))
        .allMatch(said -> said.contains("note: field u begins with 1 cells that are NaN"));
    assertThat(solve("--equation heat --steps 1 --grid 4x5 --field u=" + file).err())
        .contains("[3, 5]");
  }

  @Test
  void aFieldThatWasMeantIsToldFromAParameter() throws IOException {
    Path program = write("wall.stencil", "u' = u + mask*(u[-1,0] - u)");

    assertThat(solve("--grid 8x8 --equation " + program).err())
        .contains("parameter mask has no value")
        .contains("if mask is a field that is only read, write mask[0,0]");
  }

  @Test
  void sourcesNeedFieldsThatStepsUpdate() throws IOException {
    Path program = write("given.stencil", "u' = u + k[0]");
    Path source = write("source.csv", "field,x,step,value", "k,1,0,5");

    CommandRun run =
        solve(
            "--grid 8 --field k=0 --steps 2 --source %s --equation %s".formatted(source, program));

    assertThat(run.exitCode()).isNotZero();
    assertThat(run.err()).contains("k");
  }

  @Test
  void receiversHearWhatSourcesHaveAddedInTheSameStep() throws IOException {
    Path program = write("keep.stencil", "u' = u + 0*u[1]");
    Path source = write("source.csv", "field,x,step,value", "u,1,0,5", "u,1,2,3");
    Path receivers = write("receivers.csv", "name,field,x", "near,u,1");
    Path samples = folder.resolve("heard.csv");

    CommandRun run =
        solve(
            "--grid 8 --field u=1 --steps 3 --source %s --receivers %s --samples %s --equation %s"
                .formatted(source, receivers, samples, program));

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(Files.readAllLines(samples).stream().map(line -> line.replaceAll(".*,", "")))
        .containsExactly("near", "6.0", "6.0", "9.0");
  }

  private CommandRun solve(String options) {
    List<String> words = new ArrayList<>(List.of("solve"));
    words.addAll(List.of(options.split(" ")));
    return CommandRun.of(words);
  }

  private Path write(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines));
  }

  /** Writes an array of doubles, counted from 0, of which one is NaN. */
  private Path npy(String name, int rows, int columns, int missing) throws IOException {
    String header =
        "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }".formatted(rows, columns);
    byte[] text =
        (header + " ".repeat(117 - header.length()) + "\n").getBytes(StandardCharsets.US_ASCII);
    ByteBuffer bytes =
        ByteBuffer.allocate(10 + text.length + 8 * rows * columns).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII)).put((byte) 1);
    bytes.put((byte) 0).putShort((short) text.length).put(text);
    for (int i = 0; i < rows * columns; i++) {
      bytes.putDouble(i == missing ? Double.NaN : i);
    }
    return Files.write(folder.resolve(name), bytes.array());
  }
}
