/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.FieldSource;
import io.sparkstencil.spark.files.FileSum;
import io.sparkstencil.spark.files.StoredFile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;

/**
 * A Zarr group: a folder of arrays and groups, with attributes. Versions 3 and 2 are read, version
 * 3 is written.
 *
 * <p>A group can be a checkpoint: {@link #complete} is called after all its arrays are committed,
 * and {@link #isComplete} tells a reader that nothing is missing.
 */
public final class ZarrGroup {
  private static final String COMPLETE = "complete";

  private final StoredFile folder;
  private final boolean writable;
  private final Map<String, Object> attributes;

  private ZarrGroup(StoredFile folder, boolean writable, Map<String, Object> attributes) {
    this.folder = folder;
    this.writable = writable;
    this.attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
  }

  /**
   * Opens a group and reads its attributes.
   *
   * @param path the group's folder on any file system of Hadoop
   * @param hadoop the settings of file systems
   * @throws FieldFileException if there is no group, or its metadata are broken
   */
  public static ZarrGroup open(String path, Configuration hadoop) {
    return open(StoredFile.of(path, hadoop));
  }

  private static ZarrGroup open(StoredFile folder) {
    Optional<ZarrJson> version3 = ZarrJson.read(folder.child(Version3.FILE));
    if (version3.isPresent()) {
      if (Version3.isArray(version3.get())) {
        throw FieldFileException.wrongCall(
            "%s is an array, not a group, as %s says; name the folder that holds it"
                .formatted(folder, folder.child(Version3.FILE)));
      }
      return new ZarrGroup(folder, true, Version3.attributes(version3.get()));
    }
    ZarrJson version2 =
        ZarrJson.read(folder.child(Version2.GROUP_FILE))
            .orElseThrow(
                () ->
                    FieldFileException.wrongCall(
                        "%s has neither %s nor %s, so it is no Zarr group; check the path"
                            .formatted(folder, Version3.FILE, Version2.GROUP_FILE)));
    Version2.requireVersion(version2);
    return new ZarrGroup(folder, false, Version2.attributes(folder));
  }

  /**
   * Makes a group.
   *
   * @param path a folder that does not exist, or is empty
   * @param attributes strings, numbers, truth values, lists and maps, by name
   * @throws FieldFileException if the folder has content, or writing fails
   */
  public static ZarrGroup create(
      String path, Map<String, Object> attributes, Configuration hadoop) {
    return create(StoredFile.of(path, hadoop), attributes);
  }

  private static ZarrGroup create(StoredFile folder, Map<String, Object> attributes) {
    if (!folder.list().isEmpty() || folder.isFile()) {
      throw FieldFileException.wrongCall(
          "%s exists already; remove it, or choose another path".formatted(folder));
    }
    folder.child(Version3.FILE).writeWhole(Version3.group(attributes));
    return new ZarrGroup(folder, true, attributes);
  }

  /** Returns the attributes as they were when this object was made. */
  public Map<String, Object> attributes() {
    return attributes;
  }

  /** Returns whether there is a group of version 3. */
  public static boolean exists(String path, Configuration hadoop) {
    return StoredFile.of(path, hadoop).child(Version3.FILE).exists();
  }

  /** Returns the names of folders in this group, whatever they are. */
  public List<String> folders(Predicate<String> wanted) {
    return folder.list().stream()
        .map(StoredFile::name)
        .filter(wanted)
        .filter(name -> !child(name).isFile())
        .toList();
  }

  /** Returns whether a folder in this group says that it is a group or array of version 3. */
  public boolean isGroup(String name) {
    return child(name).child(Version3.FILE).exists();
  }

  /** Returns the names of the arrays in this group. */
  public List<String> arrays() {
    return names(ZarrArray::isArray);
  }

  /** Returns the names of the groups in this group. */
  public List<String> groups() {
    return names(
        child -> {
          Optional<ZarrJson> version3 = ZarrJson.read(child.child(Version3.FILE));
          return version3.isPresent()
              ? !Version3.isArray(version3.get())
              : child.child(Version2.GROUP_FILE).exists();
        });
  }

  private List<String> names(Predicate<StoredFile> kind) {
    return folder.list().stream()
        .filter(child -> !child.name().startsWith("."))
        .filter(child -> !child.isFile())
        .filter(kind)
        .map(StoredFile::name)
        .toList();
  }

  /** Opens an array in this group. */
  public ZarrArray array(String name) {
    return ZarrArray.open(child(name), Map.of());
  }

  /** Opens an array in this group, of which every file that is read must be as it was written. */
  public ZarrArray array(String name, GroupSums sums) {
    return ZarrArray.open(child(name), sums.of(name));
  }

  /** Opens a group in this group. */
  public ZarrGroup group(String name) {
    return open(child(name));
  }

  /**
   * Returns an array in this group for tasks to open, as {@link #array(String, GroupSums)} does.
   */
  public FieldSource source(String name, GroupSums sums) {
    String path = path(name);
    Map<String, FileSum> files = sums.of(name);
    return hadoop -> ZarrArray.open(StoredFile.of(path, hadoop), files);
  }

  /** Returns whether it was written down what a group in this group holds, complete or not. */
  public boolean hasSums(String name) {
    return child(name).child(GroupSums.FILE).exists();
  }

  /** Returns the path of the file that says what the group held, for messages. */
  public String sumsPath() {
    return folder.child(GroupSums.FILE).toString();
  }

  /** Returns the path of the file that says what the group is, for messages. */
  public String metadataPath() {
    return folder.child(writable ? Version3.FILE : Version2.GROUP_FILE).toString();
  }

  /** Returns the path of an array or group in this group, for a task to open. */
  public String path(String name) {
    return child(name).toString();
  }

  /** Begins an array in this group, as {@link ZarrArray#create} does. */
  public ZarrWriter createArray(String name, ZarrLayout layout) {
    requireWritable();
    return ZarrWriter.begin(child(name), layout);
  }

  /** Makes a group in this group, as {@link #create(String, Map, Configuration)} does. */
  public ZarrGroup createGroup(String name, Map<String, Object> childAttributes) {
    requireWritable();
    return create(child(name), childAttributes);
  }

  /** Adds attributes, which replace those of the same names, and returns the group with them. */
  public ZarrGroup withAttributes(Map<String, Object> added) {
    requireWritable();
    Map<String, Object> all = new LinkedHashMap<>(attributes);
    all.putAll(added);
    folder.child(Version3.FILE).writeWhole(Version3.group(all));
    return new ZarrGroup(folder, true, all);
  }

  /**
   * Marks the group as complete, by the attribute {@code complete}, and adds other attributes at
   * the same time. Call it after all arrays are committed.
   */
  public ZarrGroup complete(Map<String, Object> added) {
    Map<String, Object> all = new LinkedHashMap<>(added);
    all.put(COMPLETE, true);
    return withAttributes(all);
  }

  /**
   * Marks the group as complete after writing down what it holds, so that {@link #sums} and readers
   * can tell whether it still does.
   *
   * @throws FieldFileException if a file is missing, or has another length
   */
  public ZarrGroup complete(GroupSums sums) {
    requireWritable();
    sums.requireAll(folder);
    sums.write(folder);
    return complete(Map.of());
  }

  /**
   * Returns what the group held when it was completed, or nothing if that was not written down.
   *
   * @throws FieldFileException if that is broken, or a file is missing or has another length
   */
  public Optional<GroupSums> sums() {
    Optional<GroupSums> sums = GroupSums.read(folder);
    sums.ifPresent(found -> found.requireAll(folder));
    return sums;
  }

  /** Returns whether the group was marked as complete. */
  public boolean isComplete() {
    return Boolean.TRUE.equals(attributes.get(COMPLETE));
  }

  /** Removes a group or array in this group: first its metadata, so that no half of it is read. */
  public void remove(String name) {
    requireWritable();
    StoredFile child = child(name);
    child.child(Version3.FILE).delete();
    child.delete();
  }

  private void requireWritable() {
    if (!writable) {
      throw FieldFileException.unsupported(
          "%s is a group of version 2, which is only read; write into a new group"
              .formatted(folder));
    }
  }

  /** Names are those of folders: none leads out of this one. */
  private StoredFile child(String name) {
    if (!name.matches("[\\p{L}\\p{N}_ -][\\p{L}\\p{N}_. -]*") || name.startsWith("__")) {
      throw FieldFileException.wrongCall(
          "\"%s\" is not the name of an array or group; use letters, digits, _, - and ."
              .formatted(name));
    }
    return folder.child(name);
  }
}
