/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.release;

import static io.sparkstencil.testkit.ProjectModules.HOME;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One version stands in all files that name that of the coming release. */
final class ReleaseVersionTest {
  private static String found(String file, String pattern) throws IOException {
    Matcher version =
        Pattern.compile(pattern, Pattern.MULTILINE).matcher(Files.readString(HOME.resolve(file)));
    assertThat(version.find()).as("%s has no %s", file, pattern).isTrue();
    return version.group(1);
  }

  private static String coming() throws IOException {
    return found("pom.xml", "<revision>(.+)-SNAPSHOT</revision>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "CITATION.cff | ^version: (.+)$",
        "CHANGELOG.md | ^## (\\S+)",
        "CONTRIBUTING.md | -Drevision=(\\S+)",
        "python/pyproject.toml | ^version = \"(.+)\"$",
        "python/sparkstencil/__init__.py | ^__version__ = \"(.+)\"$",
        "examples/consumer/pom.xml | <spark-stencil.version>(.+)</",
        "docs/releases.md | tar xzf spark-stencil-(.+)\\.tar",
        "docs/api.md | <version>(.+)</version>",
        "build/consumer.sh | version=\"\\$\\{1:-(.+)\\}\"",
        "build/same-bytes.sh | version=\"\\$\\{1:-(.+)\\}\""
      })
  void filesNameTheComingVersion(String file, String pattern) throws IOException {
    assertThat(found(file, pattern)).isEqualTo(coming());
  }

  @Test
  void theSnapshotIsNoRelease() throws IOException {
    assertThat(coming()).matches("\\d+\\.\\d+\\.\\d+");
  }

  /** The headings of "Keep a changelog": versions with their day, and what kind of change. */
  @Test
  void theChangelogGoesByVersionAndKind() throws IOException {
    List<String> headings =
        Files.readAllLines(HOME.resolve("CHANGELOG.md")).stream()
            .filter(line -> line.startsWith("##"))
            .toList();

    assertThat(headings.get(0)).isEqualTo("## %s (unreleased)".formatted(coming()));
    assertThat(headings)
        .allMatch(
            each ->
                each.matches("## \\d+\\.\\d+\\.\\d+ \\((unreleased|\\d{4}-\\d\\d-\\d\\d)\\)")
                    || each.matches("### (Added|Changed|Deprecated|Removed|Fixed|Security)"));
    assertThat(headings).contains("### Added", "### Changed", "### Fixed");
  }
}
