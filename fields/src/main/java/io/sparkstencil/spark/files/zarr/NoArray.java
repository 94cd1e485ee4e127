/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.zarr;

import io.sparkstencil.spark.files.FieldFileException;
import io.sparkstencil.spark.files.StoredFile;
import java.util.List;
import java.util.Optional;

/** Says why a folder is no array, and what to name instead. */
final class NoArray {
  /** How many names are listed. */
  private static final int MOST_NAMES = 20;

  private NoArray() {}

  /** Returns the failure of reading a folder that has no metadata of an array. */
  static FieldFileException at(StoredFile folder) {
    Optional<String> inside = inside(folder);
    if (inside.isPresent()) {
      return FieldFileException.wrongCall("%s %s".formatted(folder, inside.get()));
    }
    Optional<StoredFile> parent = folder.parent();
    while (parent.isPresent()) {
      // A draft of version 3 keeps all metadata at the root of the store.
      metadata(parent.get()).ifPresent(Version3::requireNoDraft);
      parent = parent.get().parent();
    }
    Optional<String> beside =
        folder.exists() ? Optional.empty() : folder.parent().flatMap(NoArray::inside);
    return FieldFileException.wrongCall(
        beside.isPresent()
            ? "there is no %s: %s %s".formatted(folder, folder.parent().orElseThrow(), beside.get())
            : "%s has neither %s nor %s, so it is no Zarr array; check the path"
                .formatted(folder, Version3.FILE, Version2.ARRAY_FILE));
  }

  /** Folders above the store are not ours: what cannot be read there has no say. */
  private static Optional<ZarrJson> metadata(StoredFile folder) {
    try {
      return ZarrJson.read(folder.child(Version3.FILE)).filter(found -> found.node().isObject());
    } catch (FieldFileException e) {
      return Optional.empty();
    }
  }

  /** Says what is in a folder. */
  private static Optional<String> inside(StoredFile folder) {
    List<StoredFile> children =
        folder.list().stream()
            .filter(child -> !child.name().startsWith(".") && !child.isFile())
            .toList();
    List<String> arrays = names(children.stream().filter(ZarrArray::isArray).toList());
    if (!arrays.isEmpty()) {
      return Optional.of(
          "is a group, of the arrays %s; name one of them, such as %s"
              .formatted(arrays, folder.child(arrays.get(0))));
    }
    List<String> groups = names(children.stream().filter(NoArray::isGroup).toList());
    return groups.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "is a group, of the groups %s; name an array in one of them".formatted(groups));
  }

  private static List<String> names(List<StoredFile> files) {
    return files.stream().map(StoredFile::name).limit(MOST_NAMES).toList();
  }

  private static boolean isGroup(StoredFile folder) {
    return folder.child(Version3.FILE).exists() || folder.child(Version2.GROUP_FILE).exists();
  }
}
