#!/usr/bin/env bash
# zarrita 0.7.5 (npm): booleans under the codec "bytes" with "endian": "big" change places four by four, written and read.
#
# A boolean is one byte, which has no byte order: Zarr's specification has the codec reverse the bytes of an element, and no others. zarrita takes
# booleans for elements of four bytes. It reads its own files as they were meant where the cells of a chunk are a multiple of four, so that the
# fault shows only to other readers, and in the files of other writers. Where they are not, cells of the last group are lost. Other types of one
# byte are right.
. "$(dirname "$0")/packages.bash"
npm_packages zarrita@0.7.5
cat > "$TEMP/look.mjs" <<'JS'
import * as zarr from "zarrita";

const given = [1, 1, 1, 0, 0, 0, 0, 1];
for (const [dtype, endian, cells] of [["bool", "little", 8], ["uint8", "big", 8], ["bool", "big", 8], ["bool", "big", 6]]) {
  const files = new Map();
  const codecs = [{ name: "bytes", configuration: { endian } }];
  const fillValue = dtype === "bool" ? false : 0;
  const array = await zarr.create(zarr.root(files), { shape: [cells], chunkShape: [cells], dtype, codecs, fillValue });
  const values = cells === 6 ? [1, 1, 1, 1, 1, 1] : given;
  const data = dtype === "bool" ? new zarr.BoolArray(new Uint8Array(values).buffer) : new Uint8Array(values);
  await zarr.set(array, null, { data, shape: [cells], stride: [1] });
  console.log(...files.get("/c/0"));
  console.log(...Array.from((await zarr.get(array)).data, Number));
  files.set("/c/0", new Uint8Array(values)); // the chunk that the specification asks for
  console.log(...Array.from((await zarr.get(array)).data, Number));
}
JS
readarray -t lines < <(cd "$TEMP" && node look.mjs)
expect '1 1 1 0 0 0 0 1, bool, little: the chunk that is written' '1 1 1 0 0 0 0 1' "${lines[0]:-}"
expect 'uint8, big: the chunk that is written' '1 1 1 0 0 0 0 1' "${lines[3]:-}"
expect 'bool, big: the chunk that is written' '0 1 1 1 1 0 0 0' "${lines[6]:-}"
expect 'read back by zarrita' '1 1 1 0 0 0 0 1' "${lines[7]:-}"
expect 'read of a chunk of 1 1 1 0 0 0 0 1' '0 1 1 1 1 0 0 0' "${lines[8]:-}"
expect '1 1 1 1 1 1, bool, big: the chunk that is written' '1 1 1 1 0 0' "${lines[9]:-}"
expect 'read back by zarrita' '1 1 1 1 0 0' "${lines[10]:-}"
finish
