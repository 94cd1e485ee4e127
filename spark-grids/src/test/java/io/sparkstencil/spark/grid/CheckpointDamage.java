/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** What happens to the files of checkpoints while no run looks. */
enum CheckpointDamage {
  FLIPPED_BIT {
    @Override
    void change(Path file, List<Path> all, Random random) throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, bytes);
    }
  },
  CUT {
    @Override
    void change(Path file, List<Path> all, Random random) throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOf(bytes, random.nextInt(bytes.length)));
    }
  },
  LONGER {
    @Override
    void change(Path file, List<Path> all, Random random) throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      Files.write(file, Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(9)));
    }
  },
  REMOVED {
    @Override
    void change(Path file, List<Path> all, Random random) throws IOException {
      Files.delete(file);
    }
  },
  FOLDER_INSTEAD {
    @Override
    void change(Path file, List<Path> all, Random random) throws IOException {
      Files.delete(file);
      Files.createDirectory(file);
    }
  },
  LINK_TO_NOWHERE {
    @Override
    void change(Path file, List<Path> all, Random random) throws IOException {
      Files.delete(file);
      Files.createSymbolicLink(file, Path.of("nowhere"));
    }
  },
  LINK_IN_A_CIRCLE {
    @Override
    void change(Path file, List<Path> all, Random random) throws IOException {
      Files.delete(file);
      Files.createSymbolicLink(file, file);
    }
  },
  EXCHANGED {
    @Override
    void change(Path file, List<Path> all, Random random) throws IOException {
      Path other = all.get(random.nextInt(all.size()));
      byte[] bytes = Files.readAllBytes(file);
      Files.write(file, Files.readAllBytes(other));
      Files.write(other, bytes);
    }
  },
  FOLDER_REMOVED {
    @Override
    void change(Path file, List<Path> all, Random random) throws IOException {
      Path folder = file.getParent();
      for (Path each : all) {
        if (each.startsWith(folder)) {
          Files.delete(each);
        }
      }
    }
  },
  /** Clocks that were set back or forward change nothing. */
  OTHER_TIMES {
    @Override
    void change(Path file, List<Path> all, Random random) throws IOException {
      for (Path each : all) {
        Duration moved = Duration.ofDays(random.nextInt(20_000) - 10_000L);
        Files.setLastModifiedTime(each, FileTime.from(Instant.now().plus(moved)));
      }
    }
  };

  abstract void change(Path file, List<Path> all, Random random) throws IOException;

  boolean changesBytes() {
    return this != OTHER_TIMES;
  }

  /**
   * Does it to some file.
   *
   * @return what was done, for messages; empty if there are no files
   */
  static String some(Path folder, Random random) {
    try {
      List<Path> all = files(folder);
      if (all.isEmpty()) {
        return "";
      }
      CheckpointDamage damage = values()[random.nextInt(values().length)];
      Path file = all.get(random.nextInt(all.size()));
      damage.change(file, all, random);
      return damage.changesBytes() ? "%s %s".formatted(damage, folder.relativize(file)) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> Files.isRegularFile(file) && file.toFile().length() > 0)
          .sorted()
          .toList();
    }
  }
}
