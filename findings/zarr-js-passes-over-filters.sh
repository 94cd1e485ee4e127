#!/usr/bin/env bash
# zarr 0.6.3 (npm, "Zarr.js"): the filters of an array are passed over, and what they have encoded is taken for the cells.
#
# An array of Zarr version 2 says in "filters" what was done to a chunk before it was compressed. Zarr.js undoes the compression, finds as many bytes as
# it needs, and reads differences, or shuffled bytes, as cells. It refuses compressors and types that it does not know.
. "$(dirname "$0")/packages.bash"
debian python3-zarr=2.13.6+ds-1 python3-numpy=1:1.24.2-1+deb12u1
npm_packages zarr@0.6.3
cat > "$TEMP/make.py" <<'PY'
import sys
import numcodecs
import numpy
import zarr as library

group = library.open_group(sys.argv[1] + "/arrays.zarr", mode="w")
cells = numpy.array([100, 110, 130, 160, 200, 250], "i4")
for name, filters in (("none", None), ("delta", [numcodecs.Delta("i4")]), ("shuffle", [numcodecs.Shuffle(4)])):
    array = group.create_dataset(name, data=cells, chunks=6, compressor=numcodecs.Zlib(), filters=filters)
    print(*array[:])
PY
cat > "$TEMP/look.mjs" <<'JS'
import { existsSync, readFileSync } from "node:fs";
import { KeyError, openArray } from "zarr";

const store = {
  async getItem(key) {
    if (!existsSync("arrays.zarr/" + key)) throw new KeyError(key);
    return new Uint8Array(readFileSync("arrays.zarr/" + key)).buffer;
  },
  async containsItem(key) {
    return existsSync("arrays.zarr/" + key);
  },
};
for (const path of ["none", "delta", "shuffle"]) {
  const array = await openArray({ store, path, mode: "r" });
  console.log(...(await array.get(null)).data);
}
JS
readarray -t python < <(python "$TEMP/make.py" "$TEMP")
readarray -t js < <(cd "$TEMP" && node look.mjs)
expect 'zarr-python, no filter' '100 110 130 160 200 250' "${python[0]:-}"
expect 'Zarr.js' '100 110 130 160 200 250' "${js[0]:-}"
expect 'zarr-python, differences' '100 110 130 160 200 250' "${python[1]:-}"
expect 'Zarr.js' '100 10 20 30 40 50' "${js[1]:-}"
expect 'zarr-python, shuffled bytes' '100 110 130 160 200 250' "${python[2]:-}"
expect 'Zarr.js' '-1602064796 64200 0 0 0 0' "${js[2]:-}"
finish
