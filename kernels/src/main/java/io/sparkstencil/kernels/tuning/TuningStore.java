/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonArray;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import com.eclipsesource.json.WriterConfig;
import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.error.ErrorCode;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.TunedShape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The measured schedules and kernels of programs of one kind of device, in one JSON file of a
 * folder. A file that cannot be read, or that is of another device or format, is ignored with a
 * warning. Safe for many threads; of several processes that write at once the last one wins, and
 * readers see whole files.
 */
public final class TuningStore {
  private static final System.Logger LOG = System.getLogger(TuningStore.class.getName());
  private static final String FORMAT = "spark-stencil-tuning-3";

  /** The format of files without programs. */
  private static final String WITHOUT_PROGRAMS = "spark-stencil-tuning-2";

  private final Path file;
  private final String device;
  private final Map<TunedShape, TunedSchedule> entries = new LinkedHashMap<>();
  private final Map<TunedFields, TunedKernel> programs = new LinkedHashMap<>();

  /** Reads what {@code folder} holds for the kind of device that {@code traits} are of. */
  public TuningStore(Path folder, CudaDevice traits) {
    this.device = "%s, compute capability %s".formatted(traits.name(), traits.capabilityText());
    String slug = device.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    this.file = folder.resolve(slug + ".json");
    try {
      read(Json.parse(Files.readString(file, StandardCharsets.UTF_8)).asObject());
    } catch (NoSuchFileException e) {
      LOG.log(System.Logger.Level.DEBUG, "no measured schedules at {0}", file);
    } catch (IOException | RuntimeException e) {
      entries.clear();
      programs.clear();
      LOG.log(
          System.Logger.Level.WARNING,
          "ignoring the measured schedules in %s: %s; delete the file or tune again"
              .formatted(file, e.getMessage()));
    }
  }

  private void read(JsonObject root) {
    String format = root.getString("format", "");
    boolean old = format.equals(WITHOUT_PROGRAMS);
    requireEqual("format", old ? WITHOUT_PROGRAMS : FORMAT, format);
    requireEqual("device", device, root.getString("device", ""));
    for (JsonValue value : root.get("entries").asArray()) {
      JsonObject entry = value.asObject();
      TunedSchedule schedule = ScheduleJson.read(entry);
      entries.put(ScheduleJson.readShape(entry), schedule);
    }
    for (JsonValue value : old ? Json.array() : Members.of(root, "programs").asArray()) {
      JsonObject entry = value.asObject();
      programs.put(ProgramJson.readFields(entry), ProgramJson.read(entry));
    }
  }

  private static void requireEqual(String name, String expected, String actual) {
    if (!expected.equals(actual)) {
      throw new IllegalArgumentException(
          "its %s is '%s', not '%s'".formatted(name, actual, expected));
    }
  }

  /** Returns the file that holds the schedules. */
  public Path file() {
    return file;
  }

  /** Returns the schedule that was measured to be the fastest, if any was. */
  public synchronized Optional<KernelSchedule> find(TunedShape shape) {
    return Optional.ofNullable(entries.get(shape)).map(TunedSchedule::schedule);
  }

  /** Returns the kernel of a program that was measured to be the fastest, if any was. */
  public synchronized Optional<TunedKernel> find(TunedFields fields) {
    return Optional.ofNullable(programs.get(fields));
  }

  /**
   * Keeps a measurement and writes the file.
   *
   * @throws StencilException if the file cannot be written
   */
  public synchronized void save(TunedShape shape, TunedSchedule measured) {
    entries.put(shape, measured);
    write();
  }

  /**
   * Keeps a measurement of a program and writes the file.
   *
   * @throws StencilException if the file cannot be written
   */
  public synchronized void save(TunedFields fields, TunedKernel measured) {
    programs.put(fields, measured);
    write();
  }

  private void write() {
    JsonArray schedules = new JsonArray();
    entries.forEach((key, value) -> schedules.add(ScheduleJson.write(key, value)));
    JsonArray kernels = new JsonArray();
    programs.forEach((key, value) -> kernels.add(ProgramJson.write(key, value)));
    JsonObject root =
        new JsonObject()
            .add("format", FORMAT)
            .add("device", device)
            .add("entries", schedules)
            .add("programs", kernels);
    try {
      Files.createDirectories(file.getParent());
      replaceFile(root.toString(WriterConfig.PRETTY_PRINT));
    } catch (IOException e) {
      throw new StencilException(
          ErrorCode.INVALID_ARGUMENT,
          "measured schedules cannot be written to %s (%s); name a writable folder"
              .formatted(file, e),
          e);
    }
  }

  /**
   * Writes beside the file and renames; for others to read, which a temporary file would not be.
   */
  private void replaceFile(String text) throws IOException {
    Path draft = file.resolveSibling("%s.%s.new".formatted(file.getFileName(), UUID.randomUUID()));
    try {
      Files.writeString(draft, text, StandardCharsets.UTF_8);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
