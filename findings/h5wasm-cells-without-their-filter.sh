#!/usr/bin/env bash
# h5wasm 0.10.3 (npm): arrays of HDF5 whose filter is not there are read as other numbers, and no exception is thrown.
#
# LZF and Blosc come as plugins (h5wasm-plugins), and have to be loaded. Without them H5Dread fails, which HDF5 writes to the console, and nobody asks
# for what it returned: "value" and "slice" give as many numbers as there are cells, which nobody has written, zeros for the most part. h5wasm throws
# only after activate_throwing_error_handler(). The README names the plugins, and does not say what is read without them.
. "$(dirname "$0")/packages.bash"
debian python3-h5py=3.7.0-8 python3-numpy=1:1.24.2-1+deb12u1
npm_packages h5wasm@0.10.3
cat > "$TEMP/make.py" <<'PY'
import sys
import h5py
import numpy

with h5py.File(sys.argv[1] + "/arrays.h5", "w") as file:
    file.create_dataset("lzf", data=numpy.repeat(numpy.arange(7, 11, dtype="i4"), 64), chunks=(64,), compression="lzf")
    file.create_dataset("gzip", data=numpy.repeat(numpy.arange(7, 11, dtype="i4"), 64), chunks=(64,), compression="gzip")
with h5py.File(sys.argv[1] + "/arrays.h5") as file:
    print((file["lzf"][:] == file["gzip"][:]).sum(), "of 256")
PY
cat > "$TEMP/look.mjs" <<'JS'
import h5wasm from "h5wasm/node";

const module = await h5wasm.ready;
const file = new h5wasm.File("arrays.h5", "r");
for (const name of ["gzip", "lzf"]) {
  const cells = file.get(name).value;
  console.log(cells.filter((cell, i) => cell === 7 + Math.floor(i / 64)).length + " of " + cells.length);
}
console.log(file.get("lzf").slice([[64, 128]]).filter((cell) => cell === 8).length + " of 64");
module.activate_throwing_error_handler();
try {
  console.log(file.get("lzf").value.length);
} catch (e) {
  console.log("an exception");
}
JS
readarray -t h5py < <(python "$TEMP/make.py" "$TEMP")
readarray -t h5wasm < <(cd "$TEMP" && node look.mjs 2> "$TEMP/console")
expect 'h5py, cells of LZF that are right' '256 of 256' "${h5py[0]:-}"
expect 'h5wasm, gzip' '256 of 256' "${h5wasm[0]:-}"
expect 'h5wasm, LZF' '0 of 256' "${h5wasm[1]:-}"
expect 'h5wasm, a part of it' '0 of 64' "${h5wasm[2]:-}"
expect 'h5wasm, with the handler that throws' 'an exception' "${h5wasm[3]:-}"
expect 'what HDF5 has written to the console' 'yes' "$(grep -q "required filter 'lzf' is not registered" "$TEMP/console" && echo yes || echo no)"
finish
