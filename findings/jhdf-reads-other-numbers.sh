#!/usr/bin/env bash
# jhdf 0.13.0: two kinds of arrays that h5py writes are read as other numbers, without an error.
#
# An array in HDF5's newer layouts that may grow along its last axis has an index of its own (an "extensible array"), whose chunks jhdf counts as if
# the first axis grew. And a chunk may say, by its filter mask, that a filter of the array was left out for it; jhdf undoes the filter nevertheless.
# HDF5 itself leaves a filter out where it would make a chunk longer.
. "$(dirname "$0")/packages.bash"
debian python3-h5py=3.7.0-8
maven io.jhdf:jhdf:0.13.0
cat > "$TEMP/make.py" <<'PYTHON'
import sys
import h5py
import numpy

values = numpy.arange(99, dtype="i4").reshape(11, 9)
with h5py.File(sys.argv[1], "w", libver="latest") as file:
    file.create_dataset("grows", data=values, chunks=(6, 5), maxshape=(11, None))
    whole = file.create_dataset("masked", (11, 9), "i4", chunks=(11, 9), shuffle=True)
    whole.id.write_direct_chunk((0, 0), values.tobytes(), filter_mask=1)
with h5py.File(sys.argv[1]) as file:
    for name in ("grows", "masked"):
        print(*file[name][10, :5])
PYTHON
cat > "$TEMP/Look.java" <<'JAVA'
import io.jhdf.HdfFile;
import java.util.Arrays;
import java.nio.file.Path;

public class Look {
  public static void main(String[] args) {
    try (HdfFile file = new HdfFile(Path.of(args[0]))) {
      for (String name : new String[] {"grows", "masked"}) {
        int[][] values = (int[][]) file.getDatasetByPath(name).getData();
        System.out.println(Arrays.toString(Arrays.copyOf(values[10], 5)).replaceAll("[\\[\\],]", ""));
      }
    }
  }
}
JAVA
readarray -t h5py < <(python "$TEMP/make.py" "$TEMP/arrays.h5")
readarray -t jhdf < <(java_file "$TEMP/Look.java" "$TEMP/arrays.h5")
expect 'h5py, an array that may grow along its last axis' '90 91 92 93 94' "${h5py[0]}"
expect 'jhdf' '41 42 43 44 0' "${jhdf[0]}"
expect 'h5py, a chunk for which the filter was left out' '90 91 92 93 94' "${h5py[1]}"
expect 'jhdf' '4718592 1627389952 23 12288 4784128' "${jhdf[1]}"
finish
