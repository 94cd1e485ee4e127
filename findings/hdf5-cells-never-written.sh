#!/usr/bin/env bash
# jhdf 0.13.0 (Java) and jsfive 0.4.2 (npm): cells of an HDF5 array that nobody has written are zeros, or undefined, and not the fill value.
#
# HDF5 stores no chunk that was never written, and its cells are the fill value of the array (HDF5 File Format Specification, "Data Storage - Fill
# Value"). Grids that are written region by region have such chunks, with a fill value that says that nothing is there. jhdf has getFillValue(), and
# gives zeros for the cells; jsfive gives undefined, which is NaN in arithmetic and 0 in a typed array of integers.
. "$(dirname "$0")/packages.bash"
debian python3-h5py=3.7.0-8 python3-numpy=1:1.24.2-1+deb12u1
maven io.jhdf:jhdf:0.13.0
npm_packages jsfive@0.4.2
cat > "$TEMP/make.py" <<'PY'
import sys
import h5py

with h5py.File(sys.argv[1], "w") as file:
    cells = file.create_dataset("cells", (2, 6), "i4", chunks=(2, 3), fillvalue=-9999)
    cells[:, 0:3] = 7
with h5py.File(sys.argv[1]) as file:
    print(*file["cells"][0])
PY
cat > "$TEMP/Look.java" <<'JAVA'
import io.jhdf.HdfFile;
import java.nio.file.Path;
import java.util.Arrays;

public class Look {
  public static void main(String[] args) {
    try (HdfFile file = new HdfFile(Path.of(args[0]))) {
      var cells = file.getDatasetByPath("cells");
      System.out.println(Arrays.toString(((int[][]) cells.getData())[0]).replaceAll("[\\[\\],]", ""));
      System.out.println(cells.getFillValue());
    }
  }
}
JAVA
cat > "$TEMP/look.mjs" <<'JS'
import { readFileSync } from "node:fs";
import { File } from "jsfive";

const cells = new File(new Uint8Array(readFileSync("cells.h5")).buffer, "cells.h5").get("cells").value.slice(0, 6);
console.log(Array.from(cells, String).join(" "));
console.log(Int32Array.from(cells).join(" "));
JS
readarray -t h5py < <(python "$TEMP/make.py" "$TEMP/cells.h5")
readarray -t jhdf < <(java_file "$TEMP/Look.java" "$TEMP/cells.h5")
readarray -t jsfive < <(cd "$TEMP" && node look.mjs)
expect 'h5py' '7 7 7 -9999 -9999 -9999' "${h5py[0]:-}"
expect 'jhdf' '7 7 7 0 0 0' "${jhdf[0]:-}"
expect 'jhdf, the fill value' '-9999' "${jhdf[1]:-}"
expect 'jsfive' '7 7 7 undefined undefined undefined' "${jsfive[0]:-}"
expect 'jsfive, in an array of integers' '7 7 7 0 0 0' "${jsfive[1]:-}"
finish
