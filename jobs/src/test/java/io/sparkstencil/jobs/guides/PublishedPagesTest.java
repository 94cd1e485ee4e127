/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.guides;

import static io.sparkstencil.testkit.ProjectModules.HOME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What the program that makes a site of all pages (Jekyll, with the plugins of GitHub Pages) needs
 * of them, besides what people need.
 */
final class PublishedPagesTest {
  private static final Pattern LINK =
      Pattern.compile("\\[([^\\[\\]`]*)\\]\\(([^)#\\s]+)(#[^)]*)?\\)");

  @Test
  void noPageHoldsWhatIsReadAsATemplate() throws IOException {
    assertThat(pages())
        .hasSizeGreaterThan(100)
        .allSatisfy(
            page ->
                assertThat(Files.readString(page)).as(page.toString()).doesNotContain("{{", "{%"));
  }

  @Test
  void linksToFoldersLeadToOnesWithAPageOfTheirOwn() throws IOException {
    int links = 0;
    for (Path page : pages()) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        Path to = page.resolveSibling(link.group(2)).normalize();
        if (to.startsWith(HOME) && Files.isDirectory(to)) {
          assertThat(to.resolve("README.md")).as("a link of %s", page).exists();
        }
        links++;
      }
    }
    assertThat(links).isGreaterThan(500);
  }

  /** Links to pages are made links to what becomes of these where they stand on one line alone. */
  @Test
  void linksToPagesStandOnOneLine() throws IOException {
    for (Path page : pages()) {
      Matcher link = LINK.matcher(Files.readString(page));
      while (link.find()) {
        if (link.group(2).endsWith(".md")) {
          assertThat(link.group(1)).as("a link of %s", page).doesNotContain("\n");
        }
      }
    }
  }

  private static List<Path> pages() throws IOException {
    return ProjectFiles.endingIn(".md");
  }
}
