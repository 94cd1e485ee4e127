/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.guides;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What all pages have in common: an example at once, and links that lead somewhere. */
final class PagesTest {
  private static final Path HOME = Path.of(System.getProperty("stencil.home")).toAbsolutePath();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
  private static final int MOST_LINES_OF_README = 100;
  private static final int LINES_TO_THE_FIRST_EXAMPLE = 10;

  @Test
  void everyPageHasItsFirstExampleWithinTenLines() throws IOException {
    List<Path> pages = pages();

    assertThat(pages).hasSizeGreaterThan(20);
    assertThat(pages)
        .allSatisfy(
            page ->
                assertThat(Files.readAllLines(page).stream().limit(LINES_TO_THE_FIRST_EXAMPLE))
                    .as("the first lines of %s", page)
                    .anyMatch(line -> line.startsWith("```")));
  }

  @Test
  void noPageSaysTheSameTwice() throws IOException {
    assertThat(pages())
        .allSatisfy(
            page ->
                assertThat(Files.readAllLines(page).stream().filter(line -> line.startsWith("## ")))
                    .as("the headings of %s", page)
                    .doesNotHaveDuplicates());
  }

  @Test
  void theReadmeIsOneScreenAfterAnother() throws IOException {
    List<String> lines = Files.readAllLines(HOME.resolve("README.md"));

    assertThat(lines).hasSizeLessThanOrEqualTo(MOST_LINES_OF_README);
    assertThat(lines.stream().limit(20)).anyMatch(line -> line.contains("OVER (ORDER BY"));
    assertThat(String.join("\n", lines)).contains("**SQL**", "**Python**", "**Java", "**Command**");
  }

  @Test
  void linksLeadToFilesOfTheProject() throws IOException {
    List<Path> pages = new ArrayList<>(pages());
    for (String name : List.of("README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md")) {
      pages.add(HOME.resolve(name));
    }
    try (DirectoryStream<Path> ofModules = Files.newDirectoryStream(HOME, Files::isDirectory)) {
      for (Path module : ofModules) {
        if (Files.exists(module.resolve("pom.xml")) && Files.exists(module.resolve("README.md"))) {
          pages.add(module.resolve("README.md"));
        }
      }
    }
    int found = 0;
    for (Path page : pages) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        String to = link.group(1);
        if (!to.contains(":") && !to.startsWith("../../")) { // pages of the host of the repository
          assertThat(page.resolveSibling(to).normalize()).as("a link of %s", page).exists();
          found++;
        }
      }
    }
    assertThat(found).isGreaterThan(200);
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(HOME.resolve("docs"))) {
      return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }
}
