/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.WriterConfig;
import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.ShownText;
import io.sparkstencil.error.StencilException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A JSON file of what was measured of one kind of device. Of several processes that write at once
 * the last one wins, and readers see whole files.
 *
 * @param path the file
 * @param device the kind
 * @param content what it holds, for messages
 */
record DeviceFile(Path path, String device, String content) {
  private static final Duration OLD = Duration.ofDays(1);

  /**
   * Returns the file of a device's kind.
   *
   * @param suffix what its name ends in, before the ending
   */
  static DeviceFile of(Path folder, CudaDevice traits, String suffix, String content) {
    String device = "%s, compute capability %s".formatted(traits.name(), traits.capabilityText());
    String slug = device.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    return new DeviceFile(folder.resolve(slug + suffix + ".json"), device, content);
  }

  /**
   * Reads the file. One that cannot be read, or that is of another device, is ignored with a
   * warning.
   *
   * @param log where the warning goes
   * @param reader throws if the format is another
   * @return whether it was read
   */
  boolean read(System.Logger log, Consumer<JsonObject> reader) {
    try {
      JsonObject root = Json.parse(Files.readString(path, StandardCharsets.UTF_8)).asObject();
      requireEqual("device", device, root.getString("device", ""));
      reader.accept(root);
      return true;
    } catch (NoSuchFileException e) {
      log.log(System.Logger.Level.DEBUG, "no {0} at {1}", content, path);
    } catch (IOException | RuntimeException e) {
      log.log(
          System.Logger.Level.WARNING,
          "ignoring the %s in %s: %s; delete the file or measure again"
              .formatted(content, path, ShownText.of(e.getMessage())));
    }
    return false;
  }

  static void requireEqual(String name, String expected, String actual) {
    if (!expected.equals(actual)) {
      throw new IllegalArgumentException(
          "its %s is '%s', not '%s'".formatted(name, actual, expected));
    }
  }

  /** Removes drafts that processes that were killed have left. */
  private void removeLeft() throws IOException {
    Instant old = Instant.now().minus(OLD);
    String drafts = path.getFileName() + ".*.new";
    try (DirectoryStream<Path> all = Files.newDirectoryStream(path.getParent(), drafts)) {
      for (Path each : all) {
        if (each.toFile().lastModified() < old.toEpochMilli()) { // 0 of one that has gone meanwhile
          Files.deleteIfExists(each);
        }
      }
    }
  }

  /**
   * Writes beside the file and renames; for others to read, which a temporary file would not be.
   *
   * @throws StencilException if the file cannot be written
   */
  void write(JsonObject root) {
    Path draft = path.resolveSibling("%s.%s.new".formatted(path.getFileName(), UUID.randomUUID()));
    try {
      Files.createDirectories(path.getParent());
      removeLeft();
      try {
        Files.writeString(draft, root.toString(WriterConfig.PRETTY_PRINT), StandardCharsets.UTF_8);
        Files.move(
            draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(draft);
      }
    } catch (IOException e) {
      throw new StencilException(
          ErrorCode.INVALID_ARGUMENT,
          "%s cannot be written to %s (%s); name a writable folder".formatted(content, path, e),
          e);
    }
  }
}
