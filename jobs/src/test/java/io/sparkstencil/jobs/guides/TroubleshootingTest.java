/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.guides;

import static io.sparkstencil.testkit.ProjectModules.HOME;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.testkit.ProjectModules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The messages that docs/troubleshooting.md explains are those of the sources. */
final class TroubleshootingTest {
  private static final Pattern MESSAGE = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

  /** A literal, with those that are joined to it. */
  private static final Pattern TEXT =
      Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"(?:\\s*\\+\\s*\"(?:[^\"\\\\\n]|\\\\.)*\")*");

  private static final Pattern JOINT = Pattern.compile("\"\\s*\\+\\s*\"");

  /** Fewer letters would be found anywhere. */
  private static final int LEAST_LETTERS = 8;

  private static final List<String> TEXTS = new ArrayList<>();

  @BeforeAll
  static void readTexts() throws IOException {
    for (String module : ProjectModules.released()) {
      try (Stream<Path> files = Files.walk(HOME.resolve(module).resolve("src/main/java"))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(TroubleshootingTest::read);
      }
    }
    read(HOME.resolve("bin/stencil"));
  }

  private static void read(Path file) {
    try {
      Matcher text = TEXT.matcher(Files.readString(file));
      while (text.find()) {
        TEXTS.add(JOINT.matcher(text.group()).replaceAll("").replace("\\\"", "\""));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns whether one text of the sources has all parts of a message, in their order. */
  private static boolean isSaid(String message) {
    List<String> parts = List.of(message.split("\\.\\.\\."));
    return TEXTS.stream().anyMatch(text -> hasInOrder(text, parts));
  }

  private static boolean hasInOrder(String text, List<String> parts) {
    int from = 0;
    for (String part : parts) {
      int found = text.indexOf(part, from);
      if (found < 0) {
        return false;
      }
      from = found + part.length();
    }
    return true;
  }

  @Test
  void everyMessageIsSaidSomewhere() throws IOException {
    List<String> messages =
        MESSAGE
            .matcher(Files.readString(HOME.resolve("docs/troubleshooting.md")))
            .results()
            .map(found -> found.group(1))
            .toList();

    assertThat(messages).hasSizeGreaterThan(60).doesNotHaveDuplicates();
    assertThat(messages)
        .allSatisfy(
            message -> {
              assertThat(message.chars().filter(Character::isLetter).count())
                  .isGreaterThanOrEqualTo(LEAST_LETTERS);
              assertThat(isSaid(message)).as(message).isTrue();
            });
  }

  @Test
  void findsWhatIsNotSaid() {
    assertThat(isSaid("there is no NVIDIA driver here: ... install the driver")).isTrue();
    assertThat(isSaid("there is no AMD driver here")).isFalse();
    assertThat(isSaid("install the driver ... there is no NVIDIA driver here")).isFalse();
  }
}
