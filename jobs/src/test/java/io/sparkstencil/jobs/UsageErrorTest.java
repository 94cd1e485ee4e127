/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sparkstencil.jobs.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors that are found without starting Spark. */
final class UsageErrorTest {
  @TempDir private Path folder;

  /** Options after a valid input, order, column and output, and what the message must say. */
  static Stream<List<String>> wrongOptions() {
    return Stream.of(
        List.of("--op mean", "--op mean needs a frame"),
        List.of("--op mean --radius -1", "radius -1 is below 0"),
        List.of("--op mean --radius 3 --preceding 2", "use one or the other"),
        List.of("--op mean --preceding 1 --following -2", "is empty"),
        List.of("--op mean --radius 99999999", "reaches further than 67108864"),
        List.of("--op mean --radius 1 --weights 1,2,3", "--op mean does not take --weights"),
        List.of("--op mean --radius 1 --sigma 2", "--op mean does not take --sigma"),
        List.of("--op derivative --radius 2", "--op derivative does not take --radius"),
        List.of("--op weighted --radius 1", "--op weighted needs --weights W,.., one for each"),
        List.of("--op weighted --radius 1 --weights 1,2", "2 weights for a frame of 3 cells"),
        List.of("--op weighted --weights 1,2", "2 weights have no middle"),
        List.of("--op weighted --weights 1,NaN,1", "weights must be finite"),
        List.of("--op gaussian", "--op gaussian needs --sigma S, the standard deviation in rows"),
        List.of("--op savgol", "--op savgol needs --radius K, the rows on each side"),
        List.of("--op mean --radius 1 --boundary torus", "unknown boundary \"torus\""),
        List.of("--op mean --radius 1 --boundary constant:x", "the constant is not a number"),
        List.of(
            "--op mean --radius 1 --accuracy sloppy",
            "unknown accuracy \"sloppy\"; known accuracies are exact, fma, fast"),
        List.of(
            "--op mean --radius 1 --engine abacus",
            "unknown engine \"abacus\"; known engines are auto, cpu, gpu, reference"),
        List.of("--op mean --radius 1 --column v", "--column names v more than once"),
        List.of("--op mean --radius 1 --plot-series 0", "--plot-series 0 is below 1; 1 to 64"),
        List.of("--op mean --radius 1 --as a,b", "--as has 2 names for 1 columns"),
        List.of("--op expr", "--op expr needs --expression TEXT, such as"),
        List.of("--op expr --expression u[-1]+ --steps 2", "line 1, column 7: "),
        List.of("--op expr --expression u[-1,0]", "line 1, column 1: u has 1 axis"),
        List.of("--op expr --expression u'=u+v[1]", "reads the fields [u, v]"),
        List.of("--op expr --expression c*u[1]", "parameter c has no value"),
        List.of("--op expr --expression u[1] --parameter c=1", "has no parameter c"),
        List.of("--op expr --expression u[1] --steps 0", "0 steps; use at least 1"),
        List.of("--op expr --expression u[9] --steps 999999", "need 8999991 cells beside"),
        List.of("--op expr --expression u[1] --boundary shrink", "leaves cells without a value"),
        List.of("--op expr --expression u[1] --radius 2", "--op expr does not take --radius"),
        List.of("--op expr --expression u[1]+x", "reads the position x"),
        List.of("--op expr --expression u[1] --accuracy half", "exact, fma, fast"),
        List.of("--op mean --radius 1 --steps 3", "--op mean does not take --steps"));
  }

  /** Words that are no option, no value of one, or not of its type. */
  static Stream<List<String>> wrongWords() {
    return Stream.of(
        List.of(
            "--op median --radius 3",
            "--op median is unknown; --op takes mean, sum, min, max, count, weighted, derivative, "),
        List.of(
            "--op average --radius 3", "--op average is unknown; did you mean mean? --op takes"),
        List.of("--op maximum --radius 3", "did you mean max? --op takes mean, sum"),
        List.of("--op Derivatve", "did you mean derivative?"),
        List.of("--op mean --radius two", "--radius two is no whole number; give one, such as 3"),
        List.of("--op mean --radius 1,5", "--radius 1,5 is no whole number; give one"),
        List.of("--op mean --radius 99999999999", "is too large; use at most 67108864"),
        List.of("--op mean --preceding -99999999999", "is too small; use at least -67108864"),
        List.of("--op mean --radius 1 --plot-series 9999999999", "use at most 2147483647"),
        List.of("--op mean --radius", "an option has no value; write --radius K"),
        List.of("--op mean --radius --ordered", "an option has no value; write --radius K"),
        List.of("--op mean --radius 1 --radius 2", "--radius is given twice; give it once"),
        List.of("--op mean --radius 1 3", "--radius takes one word, but \"3\" follows \"1\"; put"),
        List.of("--op mean --radius 1 --column v v", "; write v,v"),
        List.of("--op mean --ordered 1", "\"1\" is not the value of an option; put the option's"),
        List.of(
            "--op mean --radius 1 --plot-series=2 3",
            "--plot-series takes one word, but \"3\" follows \"2\""),
        List.of("--op gaussian --sigma 1,5", "--sigma 1,5 is no number; write 1.5, with a point"),
        List.of("--op weighted --weights 1,x,1", "--weights x is no number; write one such as"),
        List.of(
            "--op mean --radius 1 --format xls",
            "--format xls is unknown; --format takes parquet, csv"),
        List.of("--op expr --expression u[1] --parameter c=x", "--parameter x is no number"),
        List.of("--op expr --parameter c", "--parameter c has no =; write --parameter NAME=X"),
        List.of("--op mean --radius 1 --depth 4", "unknown option --depth of apply"),
        List.of("--op mean --radis 1", "unknown option --radis of apply; did you mean --radius?"));
  }

  static Stream<List<String>> wrongInputOptions() {
    return Stream.of(
        List.of("--op mean --radius 1 --separator ;;", "--separator \";;\" cannot be told"),
        List.of("--op mean --radius 1 --quote ''", "use one character, or none"),
        List.of("--op mean --radius 1 --quote ,", "--separator and --quote are both \",\""),
        List.of("--op mean --radius 1 --time-zone Rome", "--time-zone Rome is unknown; use"),
        List.of("--op mean --radius 1 --encoding latin-0", "--encoding latin-0 is unknown; use"),
        List.of("--op mean --radius 1 --encoding UTF-16", "add --multi-line"),
        List.of("--op mean --radius 1 --format orc --no-header", "--no-header is of no use with"),
        List.of("--op mean --radius 1 --format json --quote '", "in the format json; omit it"));
  }

  @ParameterizedTest
  @MethodSource({"wrongOptions", "wrongWords", "wrongInputOptions"})
  void refusesWrongOptionsInOneLine(List<String> wrong) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("apply", "--input", input(), "--order-by", "t", "--column", "v"));
    arguments.addAll(List.of("--output", folder.resolve("out").toString()));
    arguments.addAll(Arrays.asList(wrong.get(0).split(" ")));

    assertRefused(CommandRun.of(arguments), wrong.get(1));
  }

  @Test
  void refusesMissingInput() {
    assertRefused(
        apply(folder.resolve("absent.csv").toString(), "out"), "absent.csv does not exist");
  }

  @Test
  void refusesPatternOfNoFile() {
    assertRefused(
        apply(folder.resolve("day-*.csv").toString(), "out"), "day-*.csv matches no file in file:");
  }

  @Test
  void refusesFolderWithoutFiles() throws IOException {
    Path empty = Files.createDirectories(folder.resolve("empty/nested")).getParent();
    Files.createFile(empty.resolve("_SUCCESS"));

    assertRefused(apply(empty.toString(), "out"), "empty has no files");
  }

  @Test
  void refusesInputOfUnknownFileSystem() {
    assertRefused(
        apply("nowhere://host/x.csv", "out"), "--input nowhere://host/x.csv cannot be reached");
  }

  @Test
  void refusesExistingOutput() throws IOException {
    Files.createDirectory(folder.resolve("out"));

    assertRefused(apply(input(), "out"), "out exists; choose another place, or use --overwrite");
    assertThat(folder.resolve("out")).isEmptyDirectory();
  }

  @Test
  void refusesExistingPlotAndReport() throws IOException {
    Path existing = Files.writeString(folder.resolve("existing.png"), "keep me");

    assertRefused(apply(input(), "out", "--plot", existing.toString()), "--plot " + existing);
    assertRefused(apply(input(), "out", "--report", existing.toString()), "--report " + existing);
    assertThat(existing).hasContent("keep me");
  }

  @Test
  void neverReplacesWhatItReads() throws IOException {
    Path input = Path.of(input());
    String here = folder.toString();

    assertRefused(apply(input.toString(), "in.csv", "--overwrite"), "would replace --input");
    assertRefused(apply(input.toString(), "../" + folder.getFileName(), "--overwrite"), "in.csv");
    assertRefused(
        apply(input.toString(), "out", "--overwrite", "--report", input.toString()),
        "--report " + input + " would replace --input");
    assertRefused(apply(here, "", "--overwrite"), here);
    assertThat(input).hasContent("t,v\n1,2.0\n2,3.0");
    assertThat(folder).isDirectoryContaining(input::equals);
  }

  @Test
  void refusesPlacesThatAreOneAndTheSame() throws IOException {
    String out = folder.resolve("out").toString();

    assertRefused(apply(input(), "out", "--report", out), "would replace each other");
    assertRefused(apply(input(), "out", "--plot", out + "/p.png"), "would replace each other");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void refusesPlotsThatAreNotCalledPng() throws IOException {
    assertRefused(
        apply(input(), "out", "--plot", folder.resolve("p.txt").toString()),
        "p.txt does not end in .png; name such a file");
  }

  @Test
  void refusesAPlaceThatCannotBeWritten() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "keep me");

    assertRefused(
        apply(input(), "file/out"),
        "cannot write to file:%s: file:%s is a file; choose another place for --output"
            .formatted(file, file));
    assertRefused(
        apply(input(), "file/deeper/out"), "file/deeper: file:%s is a file".formatted(file));
    assertThat(file).hasContent("keep me");
  }

  @Test
  void refusesAPlaceThatOthersMayWriteTo() throws IOException {
    Path closed = Files.createDirectory(folder.resolve("closed"));
    assertThat(closed.toFile().setWritable(false)).isTrue();
    assumeThat(Files.isWritable(closed)).as("that of root are").isFalse();

    assertRefused(apply(input(), "closed/out"), "permission denied for " + closed);
  }

  @Test
  void refusesAPlaceOfAFileSystemThatIsReadOnly() throws IOException {
    Path sys = Path.of("/sys");
    assumeThat(Files.isDirectory(sys) && Files.getFileStore(sys).isReadOnly()).isTrue();

    assertRefused(
        apply(input(), "/sys/out"), "/sys: /sys is on a file system that is read-only; choose");
  }

  @ParameterizedTest
  @ValueSource(strings = {"out.xlsx", "out.txt", "out.csv.gz", "out.ZIP", "out.npy/"})
  void refusesAnOutputCalledAsFilesThatItDoesNotWrite(String output) throws IOException {
    assertRefused(
        apply(input(), output), "is not written by apply; use a path that ends in .parquet, .csv");
    assertThat(apply("absent.csv", output, "--output-format", "csv").err())
        .contains("--input absent.csv");
  }

  @ParameterizedTest
  @MethodSource({"wrongOptions", "wrongWords"})
  void saysWhatIsWrongBeforeThatTheOutputIsMissing(List<String> wrong) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("apply", "--input", input(), "--order-by", "t", "--column", "v"));
    arguments.addAll(Arrays.asList(wrong.get(0).split(" ")));

    assertRefused(CommandRun.of(arguments), wrong.get(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--input x.csv --order-by t --column v --op mean --radius 1 --ouput y | unknown option --ouput of apply; did you mean --output?",
        "--inptu x.csv --order-by t --column v --op mean --radius 1 --output y | unknown option --inptu of apply; did you mean --input?",
        "--input x.csv --column v --op mean --radius 1 | apply needs --output PATH, --order-by COL (or --tiles COL,COL) (see",
        "--input x.csv --order-by t --column v --op mean --radius 1 | apply needs --output PATH",
        "--input x.csv --order-by t --op mean --radius one | --radius one is no whole number",
        "--input x.csv --order-by t --op mean --radius -1 | apply needs --column COL, --output PATH (see",
        "--input x.csv --column v | apply needs --output PATH, --order-by COL (or --tiles COL,COL), --op OP (or --dedupe or --resample) (see",
        "--input x.csv --column v --output y | apply needs --order-by COL (or --tiles COL,COL), --op OP (or --dedupe or --resample)",
        "--column v --dedupe first | apply needs --input PATH, --output PATH, --order-by COL (or --tiles COL,COL) (see",
        "--tiles r,c | apply needs --input PATH, --column COL, --output PATH (see",
        "--input x.csv --orderby t --column v --op mean --radius 1 | did you mean --order-by?",
        "--input x.csv --order-by t --column v --op mean --radius 1 --outputformat csv | did you mean --output-format?"
      })
  void saysOfWordsThatLackAnOptionWhatHelps(String words, String message) {
    assertRefused(CommandRun.of(("apply " + words).split(" ")), message);
  }

  @Test
  void refusesNoCommandAndUnknownCommand() {
    assertRefused(CommandRun.of(), "choose demo, apply, draw, solve, doctor, tune or bench");
    assertRefused(
        CommandRun.of("frobnicate"), "unknown command \"frobnicate\"; known commands are demo");
    assertRefused(
        CommandRun.of("aply", "--input", "x"),
        "unknown command \"aply\"; did you mean apply? known commands are demo, apply, draw, solve");
  }

  @Test
  void saysThatAPatternNeedsQuotes() throws IOException {
    String words =
        "apply --order-by t --column v --op mean --radius 1 --output %s --input %s b.csv c.csv"
            .formatted(folder.resolve("out"), input());

    assertRefused(
        CommandRun.of(words.split(" ")),
        "in.csv\"; give a pattern of several files in quotes, such as 'data/*.csv'");
  }

  @Test
  void refusesMissingOptionsByName() {
    assertRefused(
        CommandRun.of("apply", "--op", "mean"),
        "apply needs --input PATH, --column COL, --output PATH, --order-by COL (or --tiles COL,COL) (see");
  }

  @Test
  void showsTheStackTraceOnlyWhenAsked() {
    CommandRun quiet = apply(folder.resolve("absent").toString(), "out");
    CommandRun verbose = apply(folder.resolve("absent").toString(), "out", "--verbose");

    assertThat(quiet.err()).doesNotContain("\tat ");
    assertThat(verbose.err()).contains("\tat io.sparkstencil.jobs");
  }

  @Test
  void helpNamesEveryOption() {
    CommandRun help = CommandRun.of("apply", "--help");

    assertThat(help.exitCode()).isZero();
    assertThat(help.out())
        .contains("--input", "--order-by", "--partition-by", "--column", "--op", "--radius")
        .contains("--preceding", "--following", "--weights", "--order", "--accuracy-order")
        .contains("--spacing", "--sigma", "--degree", "--boundary", "--accuracy", "--engine")
        .contains("--ordered", "--output", "--output-format", "--as", "--plot", "--report")
        .contains("--separator", "--quote", "--no-header", "--null-value", "--encoding")
        .contains("--time-zone", "--multi-line", "--conf", "--master", "--verbose", "--overwrite");
  }

  private CommandRun apply(String input, String output, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("apply", "--input", input, "--order-by", "t", "--column", "v", "--op", "mean"));
    arguments.addAll(List.of("--radius", "1", "--output", folder.resolve(output).toString()));
    arguments.addAll(List.of(more));
    return CommandRun.of(arguments);
  }

  private String input() throws IOException {
    Path input = folder.resolve("in.csv");
    return Files.writeString(input, "t,v\n1,2.0\n2,3.0\n").toString();
  }

  private static void assertRefused(CommandRun run, String message) {
    assertThat(run.errorLines()).hasSize(1);
    assertThat(run.err()).startsWith("stencil: ").contains(message);
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.out()).isEmpty();
    assertThat(SparkEnv.get()).as("Spark was not started").isNull();
  }
}
