/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import com.eclipsesource.json.Json;
import com.eclipsesource.json.JsonArray;
import com.eclipsesource.json.JsonObject;
import com.eclipsesource.json.JsonValue;
import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.kernels.variant.KernelSchedule;
import io.sparkstencil.kernels.variant.TunedShape;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The measured schedules and kernels of programs of one kind of device, in one JSON file of a
 * folder. A file that cannot be read, or that is of another device or format, is ignored with a
 * warning. Safe for many threads and processes.
 */
public final class TuningStore {
  private static final System.Logger LOG = System.getLogger(TuningStore.class.getName());
  private static final String FORMAT = "spark-stencil-tuning-3";

  /** The format of files without programs. */
  private static final String WITHOUT_PROGRAMS = "spark-stencil-tuning-2";

  private final DeviceFile file;
  private final Map<TunedShape, TunedSchedule> entries = new LinkedHashMap<>();
  private final Map<TunedFields, TunedKernel> programs = new LinkedHashMap<>();

  /** Reads what {@code folder} holds for the kind of device that {@code traits} are of. */
  public TuningStore(Path folder, CudaDevice traits) {
    file = DeviceFile.of(folder, traits, "", "measured schedules");
    if (!file.read(LOG, this::read)) {
      entries.clear();
      programs.clear();
    }
  }

  private void read(JsonObject root) {
    String format = root.getString("format", "");
    boolean old = format.equals(WITHOUT_PROGRAMS);
    DeviceFile.requireEqual("format", old ? WITHOUT_PROGRAMS : FORMAT, format);
    for (JsonValue value : root.get("entries").asArray()) {
      JsonObject entry = value.asObject();
      TunedSchedule schedule = ScheduleJson.read(entry);
      entries.put(ScheduleJson.readShape(entry), schedule);
    }
    for (JsonValue value : old ? Json.array() : JsonMembers.of(root, "programs").asArray()) {
      JsonObject entry = value.asObject();
      programs.put(ProgramJson.readFields(entry), ProgramJson.read(entry));
    }
  }

  /** Returns the file that holds the schedules. */
  public Path file() {
    return file.path();
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
    file.write(
        new JsonObject()
            .add("format", FORMAT)
            .add("device", file.device())
            .add("entries", schedules)
            .add("programs", kernels));
  }
}
