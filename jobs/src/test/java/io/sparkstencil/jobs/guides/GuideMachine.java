/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.guides;

import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.UserProgram;
import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.execution.HiveResult;

/**
 * Runs blocks of guides in this process, with one Spark for all of them.
 *
 * <p>{@code bin/stencil} runs its command, {@code spark-sql} checks that Spark has the settings of
 * its options, {@code curl} asks Spark's web server, and anything else is a command of the shell.
 * Statements of SQL print what {@code spark-sql} prints. Names that begin with {@code target/} lie
 * in a folder of the test.
 *
 * @param home the folder of the project
 * @param folder where files are written
 * @param settings what guides start Spark with
 */
record GuideMachine(Path home, Path folder, Map<String, String> settings) {
  private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");
  private static final Pattern CLASS = Pattern.compile("\\bclass (\\w+)");
  private static final Pattern CONF = Pattern.compile("--conf '?([\\w.*]+)=([^\\s']+)");
  private static final long DRAIN_MILLIS = 30_000;
  private static final String WEB = "http://localhost:4040";

  /** Returns the settings with which the guides' commands start Spark. */
  static Map<String, String> settingsOf(List<GuidePage> pages) {
    Map<String, String> settings = new TreeMap<>();
    for (GuidePage page : pages) {
      for (GuidePage.Block block : page.blocks()) {
        if (block.language().equals("sh") && block.text().contains("/bin/spark-sql")) {
          CONF.matcher(joined(block.text()))
              .results()
              .forEach(conf -> settings.put(conf.group(1), conf.group(2)));
        }
      }
    }
    return settings;
  }

  /** Returns Spark as it is, or starts it. */
  SparkSession spark() {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.port", "0")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.sql.session.timeZone", "UTC");
    settings.forEach(builder::config);
    return builder.getOrCreate();
  }

  /** Returns what a block prints. */
  String run(GuidePage.Block block, SparkSession session) throws Exception {
    String text = placed(block.text());
    String printed =
        switch (block.language()) {
          case "sh" -> shell(text);
          case "sql" -> sql(text, session);
          case "java" -> java(text);
          default -> throw new IllegalArgumentException("a block of " + block.language());
        };
    return printed.replace(folder + "/", "target/").replace(home + "/", "");
  }

  private String placed(String text) {
    return text.replaceAll("(?<![\\w/.])target/", Matcher.quoteReplacement(folder + "/"))
        .replaceAll("(?<![\\w/.])examples/", Matcher.quoteReplacement(home + "/examples/"));
  }

  private static String joined(String text) {
    return text.replaceAll("\\\\\n\\s*", "");
  }

  private String shell(String text) throws Exception {
    StringBuilder printed = new StringBuilder();
    for (String line : joined(text).split("\n")) {
      if (line.startsWith("bin/stencil java ")) {
        List<String> words = words(line.substring("bin/stencil java ".length()));
        String[] arguments = words.subList(1, words.size()).toArray(String[]::new);
        printed.append(program(Path.of(words.get(0)), arguments));
      } else if (line.startsWith("bin/stencil ")) {
        spark();
        CommandRun run = CommandRun.of(words(line.substring("bin/stencil ".length())));
        printed.append(run.out()).append(run.err());
      } else if (!line.contains("/bin/spark-sql")) { // settingsOf has read this
        printed.append(bash(line));
      }
    }
    return printed.toString();
  }

  private static List<String> words(String line) {
    return WORD.matcher(line)
        .results()
        .map(word -> word.group(1) != null ? word.group(1) : word.group().replace("'", ""))
        .toList();
  }

  private String bash(String line) throws Exception {
    Matcher curl = Pattern.compile("curl -s " + WEB + "(\\S+)").matcher(line);
    String command = line;
    if (curl.find()) {
      Path answer = Files.writeString(folder.resolve("answer"), fetch(curl.group(1)));
      command = curl.replaceFirst(Matcher.quoteReplacement("cat " + answer));
    }
    Process process =
        new ProcessBuilder("bash", "-c", command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(command + " failed: " + printed);
    }
    return printed;
  }

  private String fetch(String path) throws Exception {
    spark().sparkContext().listenerBus().waitUntilEmpty(DRAIN_MILLIS); // pages follow events
    URI address = URI.create(spark().sparkContext().uiWebUrl().get() + path);
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
    return answer.body();
  }

  /** Returns what statements print, as {@code spark-sql} does. */
  private static String sql(String text, SparkSession session) {
    List<String> lines = new ArrayList<>();
    for (String statement : text.split(";\\s*\n")) {
      Dataset<Row> rows = (Dataset<Row>) session.sql(statement);
      lines.addAll(
          ScalaInterop.list(HiveResult.hiveResultString(rows.queryExecution().executedPlan())));
    }
    return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  /** Keeps a whole program for {@code bin/stencil java}, and runs statements at once. */
  private String java(String text) throws Exception {
    Matcher name = CLASS.matcher(text);
    if (name.find()) {
      Files.writeString(folder.resolve(name.group(1) + ".java"), text);
      return "";
    }
    String imports =
        text.lines().filter(line -> line.startsWith("import ")).collect(Collectors.joining("\n"));
    String rest =
        text.lines().filter(line -> !line.startsWith("import ")).collect(Collectors.joining("\n"));
    Path file = folder.resolve("Statements.java");
    Files.writeString(
        file,
        """
        %s
        public class Statements {
          public static void main(String[] arguments) throws Exception {
            var spark = org.apache.spark.sql.SparkSession.builder().getOrCreate();
            %s
          }
        }
        """
            .formatted(imports, rest));
    return program(file);
  }

  /** Compiles a program and returns what it prints. */
  private String program(Path file, String... arguments) throws Exception {
    spark(); // which the program joins
    Path source = file.isAbsolute() ? file : folder.resolve(file);
    return new UserProgram(source).run(folder, arguments);
  }
}
