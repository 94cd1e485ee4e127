/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Checks of every variant there is, which take hours on few cores, instead of a sample of them:
 *
 * <pre>
 *   -Dsparkstencil.test.exhaustive=true     asks for it
 *   -Dsparkstencil.test.part=3/16           the third of sixteen parts; without it all
 *   -Dsparkstencil.test.summaries=FOLDER    where each check writes what it came to, as JSON
 * </pre>
 *
 * Parts can run at the same time, or one after the other in processes of limited length.
 *
 * <p>Programs at random on an emulated device go on from seed to seed for as long as is asked for:
 *
 * <pre>
 *   -Dsparkstencil.test.programs=2000       so many programs of each kind instead of some
 *   -Dsparkstencil.test.seed=7000           the first seed instead of 0
 * </pre>
 */
public final class ExhaustiveRun {
  private static final boolean ASKED = Boolean.getBoolean("sparkstencil.test.exhaustive");
  private static final String SUMMARIES = System.getProperty("sparkstencil.test.summaries", "");
  private static final int PART;
  private static final int PARTS;

  static {
    String[] part = System.getProperty("sparkstencil.test.part", "1/1").split("/", 2);
    PART = Integer.parseInt(part[0]);
    PARTS = Integer.parseInt(part[1]);
  }

  private ExhaustiveRun() {}

  /** Tells whether every variant is to be checked. */
  public static boolean isAsked() {
    return ASKED;
  }

  /** Returns how many programs at random to run where a test by itself runs {@code usual}. */
  public static int programs(int usual) {
    return Integer.getInteger("sparkstencil.test.programs", usual);
  }

  /** Returns the seed of the first programs at random. */
  public static long firstSeed() {
    return Long.getLong("sparkstencil.test.seed", 0);
  }

  /** Returns this process's part of a list that is the same in all of them. */
  public static <T> List<T> partOf(List<T> all) {
    return IntStream.range(0, all.size())
        .filter(i -> i % PARTS == PART - 1)
        .mapToObj(all::get)
        .toList();
  }

  /** Prints what a check came to, and writes it where summaries are asked for. */
  public static void summarize(String check, Map<String, ? extends Number> numbers) {
    JsonObject summary = Json.object().add("check", check).add("part", PART).add("parts", PARTS);
    numbers.forEach((name, number) -> summary.add(name, number.doubleValue()));
    System.out.println(summary);
    if (ASKED && !SUMMARIES.isEmpty()) {
      try {
        Path folder = Files.createDirectories(Path.of(SUMMARIES));
        String file = "%s-%d-of-%d.json".formatted(check.replace(' ', '-'), PART, PARTS);
        Files.writeString(folder.resolve(file), summary + "\n");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
