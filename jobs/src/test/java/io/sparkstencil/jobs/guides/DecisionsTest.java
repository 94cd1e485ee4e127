/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.guides;

import static io.sparkstencil.testkit.ProjectModules.HOME;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every decision says whether it holds, and what would reopen it: {@code build/decisions.sh}. */
final class DecisionsTest {
  @TempDir private Path folder;

  private static String said(Path folder, int code, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of(HOME.resolve("build/decisions.sh").toString()));
    words.addAll(List.of(options));
    words.add(folder.toString());
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(code);
    return said;
  }

  @Test
  void allRecordsHaveAStatusAndACondition() throws Exception {
    assertThat(said(HOME.resolve("docs/decisions"), 0))
        .contains("7  The CPU engine uses the Vector API, with plain loops as fallback")
        .contains("    in force, changed by 34, 49, 50, 51, 60, 63\n")
        .contains("Reopen when: The minimum version is Java 21 or later");
  }

  @Test
  void theSiteListsThemAsLinks() throws Exception {
    assertThat(said(HOME.resolve("docs/decisions"), 0, "--links").lines())
        .hasSizeGreaterThan(50)
        .contains(
            "- [2. boundaries are resolved at staging](0002-boundaries-are-resolved-at-staging.md): in force");
  }

  @Test
  void aRecordWithoutOneOfThemIsNamed() throws Exception {
    Files.writeString(folder.resolve("0001-a.md"), "# 1. A\n\n## Reopen when\nB changes.\n");
    Files.writeString(folder.resolve("0002-b.md"), "# 2. B\n\nStatus: in force.\n");
    Files.writeString(
        folder.resolve("0003-c.md"),
        "# 3. C\n\nStatus: replaced by 9.\n\n**Reopen when.** Never.\n");

    assertThat(said(folder, 1))
        .contains("0001-a.md: no status")
        .contains("0002-b.md: no condition")
        .contains("0003-c.md: its status names decision 9, which is not there")
        .contains("Reopen when: Never.");
  }

  @Test
  void recordsOfOneNumberAreNamed() throws Exception {
    String text = "# 1. A\n\nStatus: in force.\n\n## Reopen when\nB changes.\n";
    Files.writeString(folder.resolve("0001-a.md"), text);
    Files.writeString(folder.resolve("0001-b.md"), text);
    Files.writeString(folder.resolve("0002-c.md"), text);

    assertThat(said(folder, 1))
        .contains("0001-a.md: 0001-b.md has the same number")
        .contains("0001-b.md: 0001-a.md has the same number")
        .doesNotContain("0002-c.md:");
  }

  @Test
  void aFolderWithoutRecordsIsNamed() throws Exception {
    assertThat(said(folder, 1)).contains(folder + ": no decisions");
  }
}
