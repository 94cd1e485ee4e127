/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Facts as lines of text, {@code name=value}, below a title and above a checksum of all lines, by
 * which a file that was cut or changed is known.
 */
public final class FactLines {
  private static final String END = "crc32=";
  private static final int END_CHARACTERS = END.length() + 8 + 1;

  private final Map<String, String> facts = new LinkedHashMap<>();
  private final String title;

  /** Begins without facts. */
  public FactLines(String title) {
    this.title = title;
  }

  /** Adds a fact. Control characters become spaces. */
  public FactLines with(String name, Object value) {
    facts.put(name, value.toString().replaceAll("\\p{Cntrl}", " "));
    return this;
  }

  /** Returns the bytes of a file. */
  public byte[] bytes() {
    StringBuilder text = new StringBuilder(title).append('\n');
    facts.forEach((name, value) -> text.append(name).append('=').append(value).append('\n'));
    byte[] above = text.toString().getBytes(StandardCharsets.UTF_8);
    int checksum = FileSum.checksum(ByteBuffer.wrap(above));
    text.append(END).append("%08x".formatted(checksum)).append('\n');
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the facts of a file in their order, or nothing if the bytes are not of one. */
  public static Optional<Map<String, String>> parse(String title, byte[] bytes) {
    int above = bytes.length - END_CHARACTERS;
    if (above < 0) {
      return Optional.empty();
    }
    String end =
        String.format(
            Locale.ROOT, "%s%08x\n", END, FileSum.checksum(ByteBuffer.wrap(bytes, 0, above)));
    String all = new String(bytes, StandardCharsets.UTF_8);
    if (!all.startsWith(title + "\n") || !all.endsWith(end)) {
      return Optional.empty();
    }
    Map<String, String> facts = new LinkedHashMap<>();
    for (String line :
        all.substring(title.length() + 1, all.length() - END_CHARACTERS).split("\n")) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        facts.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return Optional.of(Collections.unmodifiableMap(facts));
  }
}
