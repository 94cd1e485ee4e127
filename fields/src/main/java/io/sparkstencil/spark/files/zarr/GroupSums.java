/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.spark.files.FactLines;
import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FileSum;
import io.sparkstencil.spark.files.FolderFiles;
import io.sparkstencil.spark.files.StoredFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a group held when it was completed: facts, and the length and checksum of each file of its
 * arrays. It stands in a file of the group, which carries a checksum itself.
 *
 * @param facts texts, by name
 * @param files the files, with their paths from the group
 */
public record GroupSums(Map<String, String> facts, List<FileSum> files) {
  /** The name of the file, which readers of Zarr take for hidden. */
  static final String FILE = ".sums";

  private static final String TITLE = "Spark Stencil: what this group holds, version 1";
  private static final String COUNT = "files";
  private static final String FILE_PREFIX = "file ";
  private static final Pattern SUM = Pattern.compile("([0-9]{1,18}) ([0-9a-f]{8})");
  private static final int MOST_BYTES = 1 << 28;

  /** Copies the facts and the list. */
  public GroupSums {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    files = List.copyOf(files);
  }

  void write(StoredFile group) {
    FactLines lines = new FactLines(TITLE);
    facts.forEach(lines::with);
    lines.with(COUNT, files.size());
    for (FileSum each : files) {
      String sum = String.format(Locale.ROOT, "%d %08x", each.bytes(), each.checksum());
      lines.with(FILE_PREFIX + each.name(), sum);
    }
    group.child(FILE).writeWhole(lines.bytes());
  }

  /** Reads the file of a group, or nothing if it has none. */
  static Optional<GroupSums> read(StoredFile group) {
    StoredFile file = group.child(FILE);
    return file.read(MOST_BYTES)
        .map(
            bytes ->
                FactLines.parse(TITLE, bytes)
                    .flatMap(GroupSums::parse)
                    .orElseThrow(
                        () ->
                            FieldFileException.broken(
                                "%s is not what was written: its checksum is that of other bytes; bring the file back, or begin without %s"
                                    .formatted(file, group))));
  }

  private static Optional<GroupSums> parse(Map<String, String> lines) {
    Map<String, String> facts = new LinkedHashMap<>(lines);
    List<FileSum> files = new ArrayList<>();
    for (Map.Entry<String, String> line : lines.entrySet()) {
      Matcher sum = SUM.matcher(line.getValue());
      if (line.getKey().startsWith(FILE_PREFIX) && sum.matches()) {
        facts.remove(line.getKey());
        files.add(
            new FileSum(
                line.getKey().substring(FILE_PREFIX.length()),
                Long.parseLong(sum.group(1)),
                Integer.parseUnsignedInt(sum.group(2), 16)));
      }
    }
    String count = facts.remove(COUNT);
    return String.valueOf(files.size()).equals(count)
        ? Optional.of(new GroupSums(facts, files))
        : Optional.empty();
  }

  /**
   * Checks that all files are there, with their lengths.
   *
   * @throws FieldFileException that names the first that is not
   */
  void requireAll(StoredFile group) {
    Map<String, Long> lengths = FolderFiles.lengths(group);
    for (FileSum each : files) {
      each.requireLength(group.child(each.name()), lengths.getOrDefault(each.name(), -1L));
    }
  }

  /** Returns the sums of the files of an array, by their paths from the array. */
  Map<String, FileSum> of(String array) {
    Map<String, FileSum> sums = new HashMap<>();
    String prefix = array + "/";
    for (FileSum each : files) {
      if (each.name().startsWith(prefix)) {
        sums.put(each.name().substring(prefix.length()), each);
      }
    }
    return sums;
  }
}
