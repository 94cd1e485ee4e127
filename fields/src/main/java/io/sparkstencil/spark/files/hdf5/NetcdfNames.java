/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.files.hdf5;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What NetCDF-4 adds to HDF5: names of axes, which are arrays of their own. */
final class NetcdfNames {
  private NetcdfNames() {}

  /** Returns whether a file was written by a library of NetCDF. */
  static boolean isNetcdf(Storage storage, long root, Attributes array) throws IOException {
    return array.has("_Netcdf4Dimid")
        || array.has("_Netcdf4Coordinates")
        || Attributes.of(storage, ObjectHeader.read(storage, root), List.of()).has("_NCProperties");
  }

  /** Returns the names of the axes of an array, or nothing if it has none. */
  static List<String> axes(Storage storage, long root, String path, int count, Attributes array)
      throws IOException {
    List<Long> scales = array.references("DIMENSION_LIST");
    if (scales.size() == count) {
      Map<Long, String> names = names(storage, root, path);
      List<String> axes = new ArrayList<>();
      scales.forEach(scale -> axes.add(names.getOrDefault(scale, ""))); // empty for NOWHERE
      return axes.stream().allMatch(String::isEmpty) ? List.of() : List.copyOf(axes);
    }
    boolean isScale = count == 1 && array.has("CLASS") && array.has("NAME");
    return isScale ? List.of(path.substring(path.lastIndexOf('/') + 1)) : List.of();
  }

  /** Returns the names of all arrays in the groups that lead to an array, by their addresses. */
  private static Map<Long, String> names(Storage storage, long root, String path)
      throws IOException {
    Map<Long, String> names = new HashMap<>();
    String group = path;
    while (true) {
      group = group.contains("/") ? group.substring(0, group.lastIndexOf('/')) : "";
      Links.of(storage, Links.find(storage, root, group).orElseThrow())
          .forEach((name, link) -> names.putIfAbsent(link.header(), name));
      names.remove(Storage.NOWHERE); // links to paths
      if (group.isEmpty()) {
        return names;
      }
    }
  }
}
