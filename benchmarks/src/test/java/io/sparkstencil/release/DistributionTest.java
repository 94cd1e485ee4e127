/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.release;

import static io.sparkstencil.testkit.ProjectModules.HOME;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The archive of a release and {@code bin/stencil install} make the same folder. */
final class DistributionTest {
  private static List<String> found(String file, String pattern) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(HOME.resolve(file)))
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  @Test
  void bothTakeTheSameFoldersAndPages() throws IOException {
    List<String> archived =
        found("build/distribution.xml", "<include>([\\w.]+)(?:/\\*\\*)?</include>");
    List<String> installed =
        List.of(found("bin/stencil", "for each in (bin [^;]+);").get(0).split(" "));

    assertThat(installed)
        .containsExactlyInAnyOrderElementsOf(archived)
        .contains("findings", "NOTICE");
    assertThat(installed).allSatisfy(each -> assertThat(HOME.resolve(each)).exists());
  }
}
