#!/usr/bin/env bash
# h5wasm 0.10.3 and jsfive 0.4.2 (npm): integers of HDF5 that use a part of their bits are read as other numbers, without an error.
#
# A type of HDF5 says how many bits a number has and where in its bytes they begin (HDF5 File Format Specification, "Datatype Message", class 0: bit
# offset, bit precision), so that counts of a 12-bit sensor say that they are of 12 bits. The HDF5 library converts them, and h5py and netCDF4 give what
# was written. Both readers of JavaScript take the whole bytes: negative numbers lose their sign, or all numbers are sixteenfold.
. "$(dirname "$0")/packages.bash"
debian python3-h5py=3.7.0-8 python3-netcdf4=1.6.2-1+b1 python3-numpy=1:1.24.2-1+deb12u1
npm_packages h5wasm@0.10.3 jsfive@0.4.2
cat > "$TEMP/make.py" <<'PY'
import sys
import h5py
import netCDF4
import numpy

cells = numpy.array([-3, -2, -1, 0, 1, 2], "i4")
path = sys.argv[1] + "/cells.h5"
with h5py.File(path, "w") as file:
    for name, begin in (("low", 0), ("high", 4)):
        type = h5py.h5t.STD_I16LE.copy()
        type.set_precision(12)
        type.set_offset(begin)
        array = h5py.h5d.create(file.id, name.encode(), type, h5py.h5s.create_simple((6,)))
        array.write(h5py.h5s.ALL, h5py.h5s.ALL, cells)
for name in ("low", "high"):
    with h5py.File(path) as file:
        print(*file[name][:])
    with netCDF4.Dataset(path) as file:
        print(*file[name][:])
PY
cat > "$TEMP/look.mjs" <<'JS'
import { readFileSync } from "node:fs";
import h5wasm from "h5wasm/node";
import { File } from "jsfive";

await h5wasm.ready;
const files = [new h5wasm.File("cells.h5", "r"), new File(new Uint8Array(readFileSync("cells.h5")).buffer, "cells.h5")];
for (const name of ["low", "high"]) {
  for (const file of files) console.log([...file.get(name).value].join(" "));
}
JS
readarray -t python < <(python "$TEMP/make.py" "$TEMP")
readarray -t js < <(cd "$TEMP" && node look.mjs)
expect 'h5py, 12 bits that begin at bit 0' '-3 -2 -1 0 1 2' "${python[0]:-}"
expect 'netCDF4' '-3 -2 -1 0 1 2' "${python[1]:-}"
expect 'h5wasm' '4093 4094 4095 0 1 2' "${js[0]:-}"
expect 'jsfive' '4093 4094 4095 0 1 2' "${js[1]:-}"
expect 'h5py, 12 bits that begin at bit 4' '-3 -2 -1 0 1 2' "${python[2]:-}"
expect 'netCDF4' '-3 -2 -1 0 1 2' "${python[3]:-}"
expect 'h5wasm' '-48 -32 -16 0 16 32' "${js[2]:-}"
expect 'jsfive' '-48 -32 -16 0 16 32' "${js[3]:-}"
finish
